/**
 * The float formats that are stored as bit patterns. Numbers are rounded once from double, to
 * nearest with ties to even, subnormals included. Overflow yields infinity if the format has one,
 * else NaN, else the largest number. Every NaN becomes the canonical one.
 *
 * **Source** IEEE 754; OCP 8-bit Floating Point (OFP8) and Microscaling Formats; ml_dtypes for
 * `fnuz`.
 */
import type { CodedDType } from './dtype.ts';

/**
 * The exponent bits, the fraction bits, the bias, the pattern of NaN, and the pattern of infinity,
 * which NaNs follow. A format without fraction has no sign and no 0.
 */
export type Format = readonly [number, number, number, nan?: number, infinity?: number];

export const FORMATS: { readonly [D in CodedDType]: Format } = {
  float16: [5, 10, 15, 0x7e00, 0x7c00],
  bfloat16: [8, 7, 127, 0x7fc0, 0x7f80],
  float4_e2m1fn: [2, 1, 1],
  float8_e4m3fn: [4, 3, 7, 0x7f],
  float8_e4m3fnuz: [4, 3, 8, 0x80],
  float8_e5m2: [5, 2, 15, 0x7e, 0x7c],
  float8_e5m2fnuz: [5, 2, 16, 0x80],
  float8_e8m0fnu: [8, 0, 127, 0xff],
};

/** The value of each pattern, and the pattern nearest to a value. */
export interface FloatCode {
  readonly values: Float32Array;
  readonly encode: (value: number) => number;
}

const codes = new Map<CodedDType, FloatCode>();

/** Built on first use. */
export function floatCode(dtype: CodedDType): FloatCode {
  const known = codes.get(dtype);
  if (known !== undefined) return known;
  const made = codeOf(FORMATS[dtype]);
  codes.set(dtype, made);
  return made;
}

function codeOf(format: Format): FloatCode {
  const [exponentBits, fraction, bias, nan, infinity] = format;
  const sign = 2 ** (exponentBits + fraction);
  const isSigned = fraction > 0;
  const least = isSigned ? 1 - bias : -bias;
  // The pattern past the last number, which is also that of overflow.
  const end = Math.min(infinity ?? sign, nan ?? sign);
  const tooLarge = infinity ?? nan ?? end - 1;
  const each = 2 ** fraction;
  const spacings = Float64Array.from(
    { length: MAX_EXPONENT - least + 1 },
    (_, step) => 2 ** (least + step - fraction),
  );
  const first = isSigned ? 0 : 1;
  const magnitude = (value: number, exponent: number): number => {
    if (exponent > MAX_EXPONENT) return tooLarge;
    // Below the normal range the spacing of numbers is constant.
    const step = Math.max(exponent - least, 0);
    const whole = roundToEven(Math.abs(value) / (spacings[step] as number));
    const bits = whole + step * each - first;
    return bits < end ? Math.max(bits, 0) : tooLarge;
  };
  const encode = (value: number): number => {
    scratchFloat[0] = value;
    const high = scratchWords[HIGH] as number;
    if (Number.isNaN(value) || (value < 0 && !isSigned)) return nan ?? sign;
    const bits = magnitude(value, ((high >>> 20) & 0x7ff) - 1023);
    // If the pattern of NaN is that of −0, neither has a sign.
    const hasSign = high >>> 31 === 1 && isSigned && (nan !== sign || bits % sign > 0);
    return hasSign ? bits + sign : bits;
  };
  const numberOf = (bits: number): number => {
    const rest = bits % sign;
    if (bits === nan || rest > end || (rest === end && rest === nan)) return Number.NaN;
    const exponent = Math.floor(rest / each);
    const part = (rest % each) + (exponent > 0 || !isSigned ? each : 0);
    const size = part * 2 ** (Math.max(exponent - bias, least) - fraction);
    return (bits < sign ? 1 : -1) * (rest === infinity ? Number.POSITIVE_INFINITY : size);
  };
  const length = isSigned ? 2 * sign : sign;
  return { values: Float32Array.from({ length }, (_, bits) => numberOf(bits)), encode };
}

const MAX_EXPONENT = 127;

const scratchFloat = new Float64Array(1);
const scratchWords = new Uint32Array(scratchFloat.buffer);
/** The index of the half with sign and exponent: 1 on little-endian machines. */
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** The nearest integer, ties to even, for 0 <= value < 2^51: doubles near 2^52 are integers. */
const roundToEven = (value: number): number => value + 2 ** 52 - 2 ** 52;
