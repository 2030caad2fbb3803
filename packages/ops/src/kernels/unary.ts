/**
 * The elementwise operators of one operand
 * ([operators §1](https://batonjs.github.io/baton/spec/operators#1)).
 */
import { invariant, orThrow } from '@baton/base';
import {
  cast,
  castNumber,
  type DType,
  dense,
  dtypeInfo,
  fromBytes,
  heap,
  isBig,
  isFloat,
  isInteger,
  type Memory,
  scalar,
  type Tensor,
  toBytes,
} from '@baton/tensor';
import { largerBig, smallerBig } from './binary.ts';
import {
  type BinaryRule,
  mapBinary,
  mapTernary,
  mapUnary,
  type TernaryRule,
  type UnaryRule,
} from './elementwise.ts';
import { erf as erfOf } from './erf.ts';
import { type ScalarRule, unaryScalarRule } from './scalar-rule.ts';

/** A kernel of one operand; the result has its type. */
export interface UnaryKernel {
  (x: Tensor, memory?: Memory): Tensor;
  /** The same on one element. */
  readonly scalar: (dtype: DType) => ScalarRule | undefined;
}

/** ln x: NaN below 0, −∞ at 0. */
export const log: UnaryKernel = onFloats(Math.log);
/** log₂ x. */
export const log2: UnaryKernel = onFloats(Math.log2);
/** log₁₀ x. */
export const log10: UnaryKernel = onFloats(Math.log10);
/** e^x. */
export const exp: UnaryKernel = onFloats(Math.exp);
/** √x. */
export const sqrt: UnaryKernel = onFloats(Math.sqrt);
/** 1/√x. */
export const rsqrt: UnaryKernel = onFloats((x) => 1 / Math.sqrt(x));
/** sin x. */
export const sin: UnaryKernel = onFloats(Math.sin);
/** cos x. */
export const cos: UnaryKernel = onFloats(Math.cos);
/** tan x. */
export const tan: UnaryKernel = onFloats(Math.tan);
/** sinh x. */
export const sinh: UnaryKernel = onFloats(Math.sinh);
/** cosh x. */
export const cosh: UnaryKernel = onFloats(Math.cosh);
/** tanh x. */
export const tanh: UnaryKernel = onFloats(Math.tanh);
/** arcsin x. */
export const asin: UnaryKernel = onFloats(Math.asin);
/** arccos x. */
export const acos: UnaryKernel = onFloats(Math.acos);
/** arctan x. */
export const atan: UnaryKernel = onFloats(Math.atan);
/** arsinh x. */
export const asinh: UnaryKernel = onFloats(Math.asinh);
/** arcosh x. */
export const acosh: UnaryKernel = onFloats(Math.acosh);
/** artanh x. */
export const atanh: UnaryKernel = onFloats(Math.atanh);
/** 1/(1 + e^−x). */
export const sigmoid: UnaryKernel = onFloats((x) => 1 / (1 + Math.exp(-x)));
/** The Gauss error function, to within 1e-15. */
export const erf: UnaryKernel = onFloats(erfOf);

/** Toward −∞; integers are as they are. */
export const floor: UnaryKernel = rounding(Math.floor);
/** Toward +∞. */
export const ceil: UnaryKernel = rounding(Math.ceil);
/** Toward 0. */
export const trunc: UnaryKernel = rounding(Math.trunc);
/** To the nearest integer, halves away from zero. */
export const round: UnaryKernel = rounding(roundHalfAway);

/** |x|; the least integer wraps to itself. */
export const abs: UnaryKernel = on({ number: Math.abs, big: (x) => (x < 0n ? -x : x) });
/** −x; integers wrap. */
export const negative: UnaryKernel = on({ number: (x) => -x, big: (x) => -x });
/** −1, 0 or 1; NaN and −0 stay. */
export const sign: UnaryKernel = on({
  number: Math.sign,
  big: (x) => BigInt(Number(x > 0n) - Number(x < 0n)),
});
/** max(x, 0); NaN stays. */
export const relu: UnaryKernel = on({
  number: (x) => (x > 0 ? x : Number.isNaN(x) ? x : 0),
  big: (x) => (x > 0n ? x : 0n),
});
/** Whether x is 0: bool. */
export const logicalNot: UnaryKernel = on(
  { number: (v) => (v === 0 ? 1 : 0), big: (v) => (v === 0n ? 1 : 0) },
  'bool',
);
/** ~x of integers; not of bool. */
export const bitwiseNot: UnaryKernel = elementwise((dtype) =>
  dtype === 'bool' ? { number: (v) => (v === 0 ? 1 : 0) } : { number: (v) => ~v, big: (v) => ~v },
);

/** Whether x is NaN: bool. */
export const isNaNs: UnaryKernel = testing((x) => (Number.isNaN(x) ? 1 : 0));
/** Whether x is an infinity: bool. */
export const isInf: UnaryKernel = testing((x) =>
  Math.abs(x) === Number.POSITIVE_INFINITY ? 1 : 0,
);
/** Whether x is neither NaN nor an infinity: bool. */
export const isFinites: UnaryKernel = testing((x) => (Number.isFinite(x) ? 1 : 0));

/** x > 0 ? x : αx, with α in x's type. */
export const leakyRelu = (x: Tensor, alpha: number, memory: Memory = heap): Tensor =>
  mapBinary(x, scalar(castNumber(alpha, x.dtype), x.dtype, memory), memory, LEAKY);

const LEAKY: BinaryRule = {
  number: (v, slope) => (v > 0 ? v : slope * v),
  big: (v, slope) => (v > 0n ? v : slope * v),
};

/**
 * min(max(x, low), high); NaN stays. The bounds are taken to x's type first: rounded for floats,
 * truncated for integers, and to its least or greatest value where they lie beyond.
 */
export const clip = (x: Tensor, low: number, high: number, memory: Memory = heap): Tensor =>
  mapTernary(x, bound(low, x.dtype), bound(high, x.dtype), memory, CLIPPED);

const CLIPPED: TernaryRule = {
  number: (v, least, most) => Math.min(Math.max(v, least), most),
  big: (v, least, most) => smallerBig(largerBig(v, least), most),
};

/** The same bits as another type of the same width; to bool, whether any bit is set. */
export function reinterpret(x: Tensor, dtype: DType, memory: Memory = heap): Tensor {
  invariant(dtypeInfo(x.dtype).bytes === dtypeInfo(dtype).bytes, 'reinterpret keeps the width');
  const bytes = toBytes(dense(x, memory));
  if (dtype !== 'bool') return orThrow(fromBytes(bytes, x.shape, dtype));
  return cast(orThrow(fromBytes(bytes, x.shape, 'uint8')), 'bool', memory);
}

/** round(x · multiplier · 2^(shift − 31)), halves up, for int32. */
export function fixedPointMultiply(
  x: Tensor,
  multiplier: number,
  shift: number,
  memory: Memory = heap,
): Tensor {
  const right = 31 - shift;
  const factor = BigInt(multiplier);
  return mapUnary(x, memory, {
    number: (v) => {
      const product = BigInt(v) * factor;
      if (right <= 0) return Number(BigInt.asIntN(32, product << BigInt(-right)));
      const half = 1n << BigInt(right - 1);
      return Number(BigInt.asIntN(32, (product + half) >> BigInt(right)));
    },
  });
}

/** The nearest integer, halves away from zero; without x + 0.5, which rounds 0.49999999999999994 up. */
function roundHalfAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function on(rule: UnaryRule, out?: DType): UnaryKernel {
  return elementwise(() => rule, out);
}

/** A kernel from its rule for each type; the result has type `out`, or the operand's. */
function elementwise(ruleOf: (dtype: DType) => UnaryRule, out?: DType): UnaryKernel {
  const map = (x: Tensor, memory: Memory = heap): Tensor =>
    mapUnary(x, memory, ruleOf(x.dtype), out);
  const scalar = (dtype: DType) => unaryScalarRule(ruleOf(dtype), dtype, out ?? dtype);
  return Object.assign(map, { scalar });
}

/** For floats; a 64-bit integer, which no type relation lets come here, would go through double. */
function onFloats(f: (x: number) => number): UnaryKernel {
  const rule = { number: f };
  const map = (x: Tensor, memory: Memory = heap): Tensor =>
    isBig(x.dtype)
      ? cast(mapUnary(cast(x, 'float64', memory), memory, rule), x.dtype, memory)
      : mapUnary(x, memory, rule);
  return Object.assign(map, { scalar: (dtype: DType) => unaryScalarRule(rule, dtype, dtype) });
}

function rounding(f: (x: number) => number): UnaryKernel {
  const rule = { number: f };
  const map = (x: Tensor, memory: Memory = heap): Tensor =>
    isFloat(x.dtype) ? mapUnary(x, memory, rule) : x;
  const same: UnaryRule = { number: (x) => x, big: (x) => x };
  const scalar = (dtype: DType) => unaryScalarRule(isFloat(dtype) ? rule : same, dtype, dtype);
  return Object.assign(map, { scalar });
}

function testing(number: (x: number) => number): UnaryKernel {
  return on({ number, big: (v) => number(Number(v)) }, 'bool');
}

/** A bound in `dtype`, within its range. */
function bound(value: number, dtype: DType): Tensor {
  if (isBig(dtype)) return scalar(bigBound(value, dtype), dtype);
  if (!isInteger(dtype)) return scalar(castNumber(value, dtype), dtype);
  const { min, max } = dtypeInfo(dtype);
  return scalar(Math.min(Math.max(Math.trunc(value), Number(min)), Number(max)), dtype);
}

function bigBound(value: number, dtype: DType): bigint {
  const [min, max] = [BigInt(dtypeInfo(dtype).min), BigInt(dtypeInfo(dtype).max)];
  if (!Number.isFinite(value)) return value > 0 ? max : min;
  const whole = BigInt(Math.trunc(value));
  if (whole < min) return min;
  return whole > max ? max : whole;
}
