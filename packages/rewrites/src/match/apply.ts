/** The right side of a rule for a match, with everything checked that makes the step sound. */
import { mergeSpans, type Span } from '@baton/base';
import {
  type AttrValue,
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  isExpr,
  isStateful,
  isTotal,
  tuple,
  tupleGetItem,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { callOp, dtypeOf } from '@baton/ops';
import { type DType, isDType, isTensor, scalar } from '@baton/tensor';
import { type MatchedHoles, RESULT } from '../rule/names.ts';
import { type CompositePattern, holesOf, type Pattern, partsOf } from '../rule/pattern.ts';
import type { ComputedValue } from '../rule/rule.ts';
import { constantOf, termOf } from '../rule/term.ts';
import { attrsFor, type Bindings } from './bindings.ts';
import type { CompiledRule } from './compile.ts';
import { foldedCall, losesValue } from './fold.ts';

/**
 * The reason why a match did not become a step.
 *
 * - `condition`: the rule's own condition does not hold, or it could not compute a hole.
 * - `type`: the right side has another type.
 * - `range`: a constant that the step computes would overflow, or vanish.
 * - `effect`: the step would drop, repeat or reorder what another evaluation can notice.
 */
export type Refusal = 'condition' | 'type' | 'range' | 'effect';

/** A use of a rule. */
export interface Step {
  /** For each matched expression, one of the same type and value. */
  readonly results: ReadonlyArray<Expr>;
  /** The expressions that the holes of the left side stand for. */
  readonly matched: ReadonlyArray<Expr>;
}

/** What a step may leave out: only what cannot fail, or whatever no other evaluation notices. */
export type MayDrop = 'total' | 'stateless';

/**
 * The step by a rule for a match of all its left sides, or a refusal. The results equal the matched
 * expressions as partial functions if the step may drop only what is total; else they may have values
 * where those fail.
 */
export function applyRule(
  m: IRModule,
  { rule, rights, kept }: CompiledRule,
  roots: ReadonlyArray<Expr>,
  bindings: Bindings,
  mayDrop: MayDrop,
): Step | Refusal {
  const isEffect = roots.some((root) => isStateful(m, root));
  if (isEffect || (mayDrop === 'total' && dropsPartial(m, kept, bindings))) return 'effect';
  const matched = [...bindings.terms.values()];
  const [first] = roots as readonly [Expr, ...Expr[]];
  const asks = rule.when.length > 0 || rule.computed.size > 0;
  const holes = asks ? holesIn(m, first, bindings) : {};
  if (!rule.when.every((holds) => holds(holes))) return 'condition';
  for (const [name, compute] of rule.computed) {
    if (!bindComputed(name, compute(holes), bindings, first.span)) return 'condition';
  }
  const span = mergeSpans(...[...roots, ...matched].map((part) => part.span));
  const results: Expr[] = [];
  for (const [i, root] of roots.entries()) {
    const type = typeOf(m, root);
    const dtype = dtypeOf(type);
    const result = built(
      m,
      rights[i] as Pattern,
      bindings,
      isDType(dtype) ? dtype : undefined,
      span,
    );
    if (result === undefined) return 'range';
    const own = typeOf(m, result);
    if (type === undefined || own === undefined || !typeEqual(type, own)) return 'type';
    results.push(result);
  }
  return { results, matched };
}

/** Whether the right side leaves out something that may fail. */
function dropsPartial(m: IRModule, kept: ReadonlySet<string>, { terms }: Bindings): boolean {
  return [...terms].some(([name, expr]) => !kept.has(name) && !isTotal(m, expr));
}

function holesIn(m: IRModule, root: Expr, { terms, attrs }: Bindings): MatchedHoles {
  const known = [...terms].map(([name, expr]) => [name, termOf(m, expr)] as const);
  return Object.fromEntries([...known, ...attrs, [RESULT, termOf(m, root)]]);
}

function bindComputed(
  name: string,
  value: ComputedValue,
  { terms, attrs }: Bindings,
  span: Span | undefined,
): boolean {
  if (value === undefined) return false;
  if (isTensor(value)) terms.set(name, constant(value, span));
  else if (isExpr(value)) terms.set(name, value);
  else attrs.set(name, value as AttrValue);
  return true;
}

/**
 * The expression of a pattern; `undefined` if a constant in it loses a value. Numbers without a dtype
 * have the given one.
 */
function built(
  m: IRModule,
  p: Pattern,
  bindings: Bindings,
  dtype: DType | undefined,
  span: Span | undefined,
): Expr | undefined {
  if (p._tag === 'Hole') return bindings.terms.get(p.name);
  if (p._tag === 'Number') return constant(scalar(p.value, p.dtype ?? dtype ?? 'float32'), span);
  if (p._tag === 'Composite') return compositeOf(m, p, bindings, dtype, span);
  const parts = partsOf(p).map((inner) => built(m, inner, bindings, dtype, span));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  if (p._tag === 'Tuple') return tuple(known, span);
  if (p._tag === 'Field') return tupleGetItem(known[0] as Expr, p.index, span);
  const made = callOp(m.ops, p.op, known, attrsFor(p, bindings), span);
  const value = foldedCall(m, made, known);
  if (value === undefined) return made;
  return losesValue(value, known) ? undefined : value;
}

/** A call of a function with the body of the pattern, whose parameters are its holes but for constants. */
function compositeOf(
  m: IRModule,
  { attrs, body }: CompositePattern,
  { terms, attrs: known }: Bindings,
  dtype: DType | undefined,
  span: Span | undefined,
): Expr | undefined {
  const inner = new Map(terms);
  const params: Var[] = [];
  const args: Expr[] = [];
  for (const name of holesOf(body).terms) {
    const arg = terms.get(name) as Expr;
    if (constantOf(arg) !== undefined) continue;
    const param = variable(name, typeOf(m, arg));
    inner.set(name, param);
    params.push(param);
    args.push(arg);
  }
  const value = built(m, body, { terms: inner, attrs: known }, dtype, span);
  return value && call(func(params, value, { attrs, span }), args, { span });
}
