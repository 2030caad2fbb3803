/**
 * Casts and bounds that change nothing: rows 9, 10, 15 and 16 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { mergeSpans } from '@baton/base';
import { dtypeOf, isCallOf, operandOf } from '@baton/ops';
import { type DType, dtypeInfo, isDType, isInteger } from '@baton/tensor';
import { build, type Rule } from './rule.ts';

/** Drops a cast to the dtype of the data. */
export const dropCast: Rule = (call, context) => {
  if (!isCallOf(call, 'cast')) return undefined;
  const x = operandOf(call, 0);
  if (dtypeOf(context.typeOf(x)) !== call.attrs.dtype) return undefined;
  context.count('cast to the same');
  return x;
};

/**
 * `cast(cast(x, wide), to) => cast(x, to)`, if the wider type holds every value of x's type.
 * [passes](https://batonjs.github.io/baton/spec/passes) takes int32 to float32 for such a step,
 * too: it rounds, so here it stays.
 */
export const skipWidening: Rule = (call, context) => {
  if (!isCallOf(call, 'cast')) return undefined;
  const inner = operandOf(call, 0);
  if (!isCallOf(inner, 'cast')) return undefined;
  const x = operandOf(inner, 0);
  const from = dtypeOf(context.typeOf(x));
  const wide = inner.attrs.dtype;
  const to = call.attrs.dtype;
  if (!isDType(from) || !isDType(wide) || to === undefined) return undefined;
  if (!holdsEvery(wide, from)) {
    context.count('kept: cast narrows');
    return undefined;
  }
  context.count('cast of widening');
  return build(context, 'cast', [x], mergeSpans(call.span, inner.span), { dtype: to });
};

/**
 * `cast(cast(clip(x), narrow), to) => cast(clip(x), to)`, where the integers of the narrower type
 * hold all that clip gives. A fraction is cut off by either cast, so one must remain: `to` is a type
 * of integers, or x has no fractions.
 */
export const skipClipped: Rule = (call, context) => {
  if (!isCallOf(call, 'cast')) return undefined;
  const inner = operandOf(call, 0);
  if (!isCallOf(inner, 'cast')) return undefined;
  const clip = operandOf(inner, 0);
  const narrow = inner.attrs.dtype;
  const to = call.attrs.dtype;
  if (!isCallOf(clip, 'clip') || !isIntegerType(narrow) || to === undefined) return undefined;
  const source = dtypeOf(context.typeOf(clip));
  if (!isIntegerType(to) && !isIntegerType(source)) return undefined;
  const { min, max } = dtypeInfo(narrow);
  if (Number(clip.attrs.a_min) < min || Number(clip.attrs.a_max) > max) return undefined;
  context.count('cast of clipped');
  return build(context, 'cast', [clip], mergeSpans(call.span, inner.span), { dtype: to });
};

/** `clip(x) => x`, if every value of x's integer type is within the bounds. */
export const dropClip: Rule = (call, context) => {
  if (!isCallOf(call, 'clip')) return undefined;
  const x = operandOf(call, 0);
  const dtype = dtypeOf(context.typeOf(x));
  if (!isIntegerType(dtype)) return undefined;
  const { min, max } = dtypeInfo(dtype);
  const isWide = Number(call.attrs.a_min) <= min && Number(call.attrs.a_max) >= max;
  context.count(isWide ? 'clip of nothing' : 'kept: clip narrows');
  return isWide ? x : undefined;
};

const isIntegerType = (dtype: unknown): dtype is DType => isDType(dtype) && isInteger(dtype);

/** Bits of the integers that a float type holds without rounding. */
const EXACT_BITS: ReadonlyMap<DType, number> = new Map([
  ['float16', 11],
  ['float32', 24],
  ['float64', 53],
]);

function holdsEvery(wide: DType, narrow: DType): boolean {
  if (wide === 'bfloat16' || narrow === 'bfloat16') return false;
  const to = dtypeInfo(wide);
  const from = dtypeInfo(narrow);
  if (to.kind === from.kind) return to.bits >= from.bits;
  const exact = EXACT_BITS.get(wide);
  return exact !== undefined && (from.kind === 'int' || from.kind === 'uint') && from.bits <= exact;
}
