/** The operands that are computed with a scale on its way, whose values must stay in range. */
import { mergeSpans, type Span } from '@baton/base';
import { type Call, call, type Expr, type Func, type IRModule } from '@baton/ir';
import { callOp, dimsOf, dtypeOf, expandToAxes, layAlongWeight, type ScaledPart } from '@baton/ops';
import type { Count } from '@baton/pass-manager';
import { areSized, constantIn, isNarrow, losesLater } from '@baton/rewrites';
import { isDType } from '@baton/tensor';
import type { ScaledCall } from './site.ts';

/** A scale at a call on its way. */
export interface PassingScale {
  readonly m: IRModule;
  readonly node: Call;
  /** The rewritten arguments, without the scale. */
  readonly args: ReadonlyArray<Expr>;
  readonly known: ScaledCall;
  /** One axis for each axis along which it varies. */
  readonly scale: Expr;
  readonly origin: Span | undefined;
  /** Whether it comes before a sum or an average, as each scale of a result does, or after it. */
  readonly passing: 'before' | 'after';
}

/**
 * The call whose operand takes the scale: a weight is multiplied by it, and so is a term of a sum that the
 * scale comes before; one that the scale comes after is divided. `lose` is called if the scale takes a
 * value out of the range of its type.
 */
export function withScale(passing: PassingScale, companion: ScaledPart, lose: () => void): Call {
  const { m, node, args, known, scale } = passing;
  const span = mergeSpans(node.span, passing.origin);
  const operand = args[companion.arg] as Expr;
  const isWeight = known.fact._tag === 'ScaleProduct';
  const op = isWeight || passing.passing === 'before' ? 'multiply' : 'divide';
  const factor = laidAlong(passing, companion, span);
  const made = callOp(m.ops, op, [operand, factor], {}, span);
  const isLost = isWeight
    ? mayLeave(passing) && !(constantIn(m, operand) && constantIn(m, scale))
    : leavesRange(passing);
  if (isLost || losesLater(m, made)) lose();
  const isQuotient = op === 'divide';
  return call(node.op, args.with(companion.arg, made), isQuotient ? node : { ...node, span });
}

/** The scale in the shape in which it is combined with an operand. */
function laidAlong(
  { m: { ops }, known: { fact, site }, scale }: PassingScale,
  { arg, axes }: ScaledPart,
  span: Span | undefined,
): Expr {
  const type = site.args[arg];
  if (fact._tag === 'ScaleProduct' && type) return layAlongWeight(ops, scale, type, axes, span);
  // A term of a sum broadcasts with the result; a bias is a vector.
  const rank = dimsOf(fact._tag === 'ScaleBias' ? type : site.result)?.length ?? 0;
  return expandToAxes(ops, scale, rank, axes, span);
}

/** Whether a scale may move a value out of the range of a float of fewer than 32 bits. */
export function leavesRange(passing: PassingScale): boolean {
  if (!mayLeave(passing)) return false;
  const factor = constantIn(passing.m, passing.scale);
  const [least, most] = passing.passing === 'before' ? [0, 1] : [1, Number.POSITIVE_INFINITY];
  return factor === undefined || !areSized(factor, least, most);
}

function mayLeave({ known }: PassingScale): boolean {
  const dtype = dtypeOf(known.site.result);
  return isDType(dtype) && isNarrow(dtype);
}

/**
 * The function after all scales have moved that stay in range. `folded` moves all but the given
 * multiplications, and takes those whose scale leaves the range.
 *
 * **Complexity** of `folded`, once more for each time that some scale has to stay.
 */
export function withoutLost<Counter extends string>(
  count: Count<Counter>,
  folded: (
    excluded: ReadonlySet<Call>,
    lose: (origin: Call) => void,
    count: Count<Counter>,
  ) => Func,
): Func {
  const excluded = new Set<Call>();
  for (;;) {
    const lost = new Set<Call>();
    const counted: Parameters<Count<Counter>>[] = [];
    const made = folded(
      excluded,
      (origin) => lost.add(origin),
      (...entry) => counted.push(entry),
    );
    if (lost.size === 0) {
      for (const entry of counted) count(...entry);
      return made;
    }
    for (const origin of lost) excluded.add(origin);
  }
}
