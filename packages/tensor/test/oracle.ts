/** The results of casts in exact integer arithmetic, independent of the code under test. */
import type { DType } from '@baton/tensor';

/** mantissa · 2^exponent. */
interface Dyadic {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const INTEGER_BITS: { readonly [name: string]: readonly [bits: number, signed: boolean] } = {
  int8: [8, true],
  int16: [16, true],
  int32: [32, true],
  int64: [64, true],
  uint8: [8, false],
  uint16: [16, false],
  uint32: [32, false],
  uint64: [64, false],
};

/** Bits of precision, least exponent of a normal number, greatest exponent. */
const FORMATS: { readonly [name: string]: readonly [number, number, number] } = {
  float16: [11, -14, 15],
  bfloat16: [8, -126, 127],
  float32: [24, -126, 127],
  float64: [53, -1022, 1023],
};

export function castOracle(value: number | bigint, dtype: DType): number | bigint {
  if (dtype === 'bool') return Number(value) !== 0 ? 1 : 0;
  const format = FORMATS[dtype];
  if (format !== undefined) return toFloat(value, ...format);
  const [bits, signed] = INTEGER_BITS[dtype] as readonly [number, boolean];
  const whole = truncated(value);
  const wrapped = signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
  return bits === 64 ? wrapped : Number(wrapped);
}

function toFloat(value: number | bigint, precision: number, least: number, greatest: number) {
  if (typeof value === 'number' && (!Number.isFinite(value) || value === 0)) return value;
  const { mantissa, exponent } = dyadic(value);
  if (mantissa === 0n) return 0;
  const negative = mantissa < 0n;
  const magnitude = negative ? -mantissa : mantissa;
  const top = magnitude.toString(2).length - 1 + exponent;
  const unit = Math.max(top, least) - precision + 1;
  const { whole, doubledRest, doubledUnit } = divide(magnitude, exponent, unit);
  const up = doubledRest > doubledUnit || (doubledRest === doubledUnit && (whole & 1n) === 1n);
  const rounded = whole + (up ? 1n : 0n);
  const limit = (2n ** BigInt(precision) - 1n) as bigint;
  const overflows =
    unit > greatest - precision + 1 || (unit === greatest - precision + 1 && rounded > limit);
  const result = overflows ? Number.POSITIVE_INFINITY : scaled(Number(rounded), unit);
  return negative ? -result : result;
}

/**
 * magnitude · 2^exponent in units of 2^unit: the integer part, and the rest compared with a half.
 */
function divide(magnitude: bigint, exponent: number, unit: number) {
  const shift = unit - exponent;
  if (shift <= 0) {
    return { whole: magnitude << BigInt(-shift), doubledRest: 0n, doubledUnit: 1n };
  }
  const whole = magnitude >> BigInt(shift);
  const rest = magnitude - (whole << BigInt(shift));
  return { whole, doubledRest: rest * 2n, doubledUnit: 1n << BigInt(shift) };
}

/** value · 2^power, in two steps so that no step leaves the range of double. */
function scaled(value: number, power: number): number {
  const half = Math.trunc(power / 2);
  return value * 2 ** half * 2 ** (power - half);
}

function truncated(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value;
  if (!Number.isFinite(value)) return 0n;
  const { mantissa, exponent } = dyadic(value);
  const magnitude = mantissa < 0n ? -mantissa : mantissa;
  const whole = exponent >= 0 ? magnitude << BigInt(exponent) : magnitude >> BigInt(-exponent);
  return mantissa < 0n ? -whole : whole;
}

function dyadic(value: number | bigint): Dyadic {
  if (typeof value === 'bigint') return { mantissa: value, exponent: 0 };
  let mantissa = value;
  let exponent = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return { mantissa: BigInt(mantissa), exponent };
}
