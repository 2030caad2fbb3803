/**
 * Quadratic forms in two values: row 17 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { mergeSpans, type Span } from '@baton/base';
import { constant, type Expr } from '@baton/ir';
import { dtypeOf, isCallOf, type OpCall } from '@baton/ops';
import { type DType, isDType, isFloat, readNumber, scalar } from '@baton/tensor';
import { constantOf } from '../facts.ts';
import { build, type Rule, type RuleContext } from './rule.ts';

/** The most terms, and the most factors of a term, that are examined. */
const MAX_PARTS = 8;

/**
 * `a·x·x + b·x·y + c·y·y => a · ((x + p·y) · (x + q·y))`, with p and q = (b ± √(b² - 4ac)) / 2a, in
 * any order and association; missing coefficients are 1. Equal factors are one node. If c is 1 and
 * a is above it, the two values change places, so that no coefficient remains.
 *
 * The form must be real, and its parts must have no other users, which would go on computing them.
 */
export const factorQuadratic: Rule = (call, context) => {
  const dtype = dtypeOf(context.typeOf(call));
  if (!isDType(dtype) || !isFloat(dtype)) return undefined;
  const form = quadraticForm(call, context);
  if (form === undefined || !context.mayDrop(form.x) || !context.mayDrop(form.y)) return undefined;
  const { x, y, a, c } = hasUnitLast(form)
    ? { ...form, x: form.y, y: form.x, a: 1, c: form.a }
    : form;
  const roots = factors(a, form.b, c, dtype);
  if (roots === undefined) return undefined;
  context.count('quadratic form');
  const number = (value: number): Expr => constant(scalar(value, dtype), form.span);
  const [p, q] = roots;
  const sumWith = (root: number): Expr => {
    const scaled = root === 1 ? y : build(context, 'multiply', [y, number(root)], form.span);
    return build(context, 'add', [x, scaled], form.span);
  };
  const first = sumWith(p);
  const product = build(context, 'multiply', [first, p === q ? first : sumWith(q)], form.span);
  return a === 1 ? product : build(context, 'multiply', [number(a), product], form.span);
};

/** `a·x·x + b·x·y + c·y·y`, and its origin. */
interface QuadraticForm {
  readonly x: Expr;
  readonly y: Expr;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly span: Span | undefined;
}

const hasUnitLast = ({ a, c }: QuadraticForm): boolean => c === 1 && a > 1;

function quadraticForm(call: OpCall, context: RuleContext): QuadraticForm | undefined {
  const sum = partsOf(call, 'add', context);
  if (sum === undefined) return undefined;
  const terms = sum.parts.map((part) => termOf(part, context)).filter((t) => t !== undefined);
  const [x, y, ...others] = new Set(terms.flatMap((term) => term.values));
  const isForm = terms.length === sum.parts.length && others.length === 0;
  if (!isForm || x === undefined || y === undefined) return undefined;
  const span = terms.reduce((all, term) => mergeSpans(all, term.span), sum.span);
  const coefficient = (first: Expr, second: Expr): number => {
    let total = 0;
    for (const { values, coefficient } of terms) {
      const [left, right] = values;
      const isThis = (left === first && right === second) || (left === second && right === first);
      if (isThis) total += coefficient;
    }
    return total;
  };
  return { x, y, a: coefficient(x, x), b: coefficient(x, y), c: coefficient(y, y), span };
}

/** A product of two values and constants. */
interface Term {
  readonly coefficient: number;
  readonly values: readonly [Expr, Expr];
  readonly span: Span | undefined;
}

function termOf(expr: Expr, context: RuleContext): Term | undefined {
  const product = partsOf(expr, 'multiply', context);
  if (product === undefined) return undefined;
  let coefficient = 1;
  let { span } = product;
  const values: Expr[] = [];
  for (const part of product.parts) {
    const value = constantOf(part);
    if (value === undefined) values.push(part);
    else if (value.shape.length > 0) return undefined;
    else {
      coefficient *= readNumber(value, 0);
      span = mergeSpans(span, part.span);
    }
  }
  const [first, second, ...others] = values;
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  return { coefficient, values: [first, second], span };
}

/** The operands of a tree of calls of one operator, from left to right; no part of it is shared. */
function partsOf(
  root: Expr,
  name: 'add' | 'multiply',
  context: RuleContext,
): { readonly parts: ReadonlyArray<Expr>; readonly span: Span | undefined } | undefined {
  if (!isCallOf(root, name)) return undefined;
  let span = root.span;
  const parts: Expr[] = [];
  const pending = [...root.args].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isCallOf(next, name) && context.isOnlyUser(next)) {
      span = mergeSpans(span, next.span);
      pending.push(...[...next.args].reverse());
    } else parts.push(next);
    if (parts.length + pending.length > MAX_PARTS) return undefined;
  }
  return { parts, span };
}

/**
 * p and q with `a·x·x + b·x·y + c·y·y = a·(x + p·y)·(x + q·y)`, if all three terms are there and
 * p and q are numbers of the element type.
 */
function factors(
  a: number,
  b: number,
  c: number,
  dtype: DType,
): readonly [number, number] | undefined {
  const discriminant = b * b - 4 * a * c;
  if (a === 0 || b === 0 || c === 0 || !(discriminant >= 0)) return undefined;
  // One of the two sums b ± √.. loses no digits: the other root follows from the product of both.
  const sum = (b + Math.sign(b) * Math.sqrt(discriminant)) / 2;
  const [large, small] = [sum / a, c / sum];
  const roots = [large, small].map((root) => readNumber(scalar(root, dtype), 0));
  const [p, q] = b > 0 ? roots : [...roots].reverse();
  if (p === undefined || q === undefined) return undefined;
  return roots.every((root) => root !== 0 && Number.isFinite(root)) ? [p, q] : undefined;
}
