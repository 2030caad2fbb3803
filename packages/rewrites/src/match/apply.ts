/** The right side of a rule for a match, with everything checked that makes the step sound. */
import { mergeSpans, type Span } from '@baton/base';
import {
  type AttrValue,
  constant,
  type Expr,
  type IRModule,
  isExpr,
  isStateful,
  isTotal,
  tuple,
  tupleGetItem,
  typeEqual,
  typeOf,
} from '@baton/ir';
import { callOp, dtypeOf } from '@baton/ops';
import { type DType, isDType, isTensor, scalar } from '@baton/tensor';
import { type MatchedHoles, RESULT } from '../rule/names.ts';
import { type Pattern, partsOf } from '../rule/pattern.ts';
import type { ComputedValue } from '../rule/rule.ts';
import { termOf } from '../rule/term.ts';
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
  /** An expression of the same type and value as the matched one. */
  readonly result: Expr;
  /** The expressions that the holes of the left side stand for. */
  readonly matched: ReadonlyArray<Expr>;
}

/** What a step may leave out: only what cannot fail, or whatever no other evaluation notices. */
export type MayDrop = 'total' | 'stateless';

/**
 * The step by a rule for a match, or a refusal. The result equals the matched expression as a partial
 * function if the step may drop only what is total; else it may have a value where that one fails.
 */
export function applyRule(
  m: IRModule,
  { rule, right, kept }: CompiledRule,
  root: Expr,
  bindings: Bindings,
  mayDrop: MayDrop,
): Step | Refusal {
  if (isStateful(m, root) || (mayDrop === 'total' && dropsPartial(m, kept, bindings))) {
    return 'effect';
  }
  const matched = [...bindings.terms.values()];
  const asks = rule.when.length > 0 || rule.computed.size > 0;
  const holes = asks ? holesIn(m, root, bindings) : {};
  if (!rule.when.every((holds) => holds(holes))) return 'condition';
  for (const [name, compute] of rule.computed) {
    if (!bindComputed(name, compute(holes), bindings, root.span)) return 'condition';
  }
  const type = typeOf(m, root);
  const dtype = dtypeOf(type);
  const span = matched.reduce<Span | undefined>(
    (merged, term) => mergeSpans(merged, term.span),
    root.span,
  );
  const result = built(m, right, bindings, isDType(dtype) ? dtype : undefined, span);
  if (result === undefined) return 'range';
  const own = typeOf(m, result);
  if (type === undefined || own === undefined || !typeEqual(type, own)) return 'type';
  return { result, matched };
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
