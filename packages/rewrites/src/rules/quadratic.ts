/**
 * Quadratic forms in two values: row 17 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { mergeSpans } from '@baton/base';
import { call, constant, type Expr, opRef, postOrderExprs } from '@baton/ir';
import { isCallOf } from '@baton/ops';
import { type DType, isFloat, readNumber, scalar } from '@baton/tensor';
import { holds } from '../match/loss.ts';
import { constantOf, type MatchedValue } from '../rule/matched-value.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { DETOUR } from './law.ts';

/** The most terms, and the most factors of a term, that are examined. */
const MAX_PARTS = 8;

/**
 * a·x·x + b·x·y + c·y·y = a · (x + p·y) · (x + q·y), with p and q = (b ± √(b² - 4ac)) / 2a, in any
 * order and association; missing coefficients are 1. Equal factors are one node. If c is 1 and a is
 * above it, the two values change places, so that no coefficient remains.
 */
export const quadratic = ruleSet(
  'quadratic',
  rule('quadratic form', '(?s + ?t) + ?u * ?v', '?f', {
    let: { f: ({ result }) => factored(result) },
    needs: DETOUR,
  }),
);

/** The product that equals a quadratic form with real factors. */
function factored({ expr, dtype }: MatchedValue): Expr | undefined {
  if (dtype === undefined || !isFloat(dtype)) return undefined;
  const form = quadraticForm(expr);
  if (form === undefined) return undefined;
  const { x, y, a, c } = hasUnitLast(form)
    ? { ...form, x: form.y, y: form.x, a: 1, c: form.a }
    : form;
  const roots = factors(a, form.b, c, dtype);
  if (roots === undefined || !holds(dtype, a)) return undefined;
  const parts = postOrderExprs([expr], (part) => part === x || part === y);
  const span = mergeSpans(...parts.map((part) => part.span));
  const number = (value: number): Expr => constant(scalar(value, dtype), span);
  const made = (name: string, ...args: ReadonlyArray<Expr>): Expr =>
    call(opRef(name), args, { attrs: {}, span });
  const [p, q] = roots;
  const sumWith = (root: number): Expr =>
    made('add', x, root === 1 ? y : made('multiply', y, number(root)));
  const first = sumWith(p);
  const product = made('multiply', first, p === q ? first : sumWith(q));
  return a === 1 ? product : made('multiply', number(a), product);
}

/** `a·x·x + b·x·y + c·y·y` */
interface QuadraticForm {
  readonly x: Expr;
  readonly y: Expr;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const hasUnitLast = ({ a, c }: QuadraticForm): boolean => c === 1 && a > 1;

function quadraticForm(sum: Expr): QuadraticForm | undefined {
  const parts = partsOf(sum, 'add');
  const terms = parts?.map(productOf).filter((term) => term !== undefined);
  if (terms === undefined || terms.length < (parts?.length ?? 0)) return undefined;
  const [x, y, ...others] = new Set(terms.flatMap(({ values }) => values));
  if (x === undefined || y === undefined || others.length > 0) return undefined;
  const coefficient = (first: Expr, second: Expr): number =>
    terms
      .filter(({ values: [left, right] }) =>
        left === first ? right === second : left === second && right === first,
      )
      .reduce((total, term) => total + term.coefficient, 0);
  return { x, y, a: coefficient(x, x), b: coefficient(x, y), c: coefficient(y, y) };
}

/** A product of two values and constants. */
interface Product {
  readonly coefficient: number;
  readonly values: readonly [Expr, Expr];
}

function productOf(expr: Expr): Product | undefined {
  let coefficient = 1;
  const values: Expr[] = [];
  for (const part of partsOf(expr, 'multiply') ?? []) {
    const value = constantOf(part);
    if (value === undefined) values.push(part);
    else if (value.shape.length > 0) return undefined;
    else coefficient *= readNumber(value, 0);
  }
  const [first, second, ...others] = values;
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  return { coefficient, values: [first, second] };
}

/** The operands of a tree of calls of one operator, from left to right. */
function partsOf(root: Expr, name: 'add' | 'multiply'): ReadonlyArray<Expr> | undefined {
  if (!isCallOf(root, name)) return undefined;
  const parts: Expr[] = [];
  const pending = [...root.args].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isCallOf(next, name)) pending.push(...[...next.args].reverse());
    else parts.push(next);
    if (parts.length + pending.length > MAX_PARTS) return undefined;
  }
  return parts;
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
  const areHeld = [large, small].every((root) => Number.isFinite(root) && holds(dtype, root));
  return areHeld && roots.every((root) => root !== 0) ? [p, q] : undefined;
}
