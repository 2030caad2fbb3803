/**
 * The two 16-bit float formats, as raw bit patterns.
 *
 * Numbers are rounded once from double, to nearest with ties to even, subnormals included. Too
 * large values become infinite, and every NaN the canonical quiet one.
 */

const FLOAT16_NAN = 0x7e00;
const BFLOAT16_NAN = 0x7fc0;

/** The value of a float16 bit pattern. **Complexity** one table look-up. */
export function float16ToNumber(bits: number): number {
  return float16Values()[bits & 0xffff] as number;
}

/** The float16 bit pattern nearest to `value`. */
export function numberToFloat16(value: number): number {
  if (Number.isNaN(value)) return FLOAT16_NAN;
  scratchFloat[0] = value;
  const high = scratchWords[HIGH] as number;
  const sign = (high >>> 16) & 0x8000;
  const exponent = ((high >>> 20) & 0x7ff) - 1023;
  if (exponent > 15) return sign | 0x7c00;
  // Below the normal range the spacing is constant: scale it to 1 and round to an integer.
  if (exponent < -14) return sign | roundToEven(Math.abs(value) * 2 ** 24);
  const kept = ((exponent + 15) << 10) | ((high >>> 10) & 0x3ff);
  return sign | (kept + roundsUp(high & 0x3ff, 0x200, kept));
}

/** The value of a bfloat16 bit pattern. */
export function bfloat16ToNumber(bits: number): number {
  narrowWord[0] = bits << 16;
  return narrowFloat[0] as number;
}

/** The bfloat16 bit pattern nearest to `value`. */
export function numberToBfloat16(value: number): number {
  if (Number.isNaN(value)) return BFLOAT16_NAN;
  scratchFloat[0] = value;
  const high = scratchWords[HIGH] as number;
  const sign = (high >>> 16) & 0x8000;
  const exponent = ((high >>> 20) & 0x7ff) - 1023;
  if (exponent > 127) return sign | 0x7f80;
  if (exponent < -126) return sign | roundToEven(Math.abs(value) * 2 ** 133);
  const kept = ((exponent + 127) << 7) | ((high >>> 13) & 0x7f);
  return sign | (kept + roundsUp(high & 0x1fff, 0x1000, kept));
}

/** The values of float16 or bfloat16 bit patterns, exact in float32; written to `values`. */
export function halfToFloat32(
  bits: Uint16Array,
  dtype: 'float16' | 'bfloat16',
  values: Float32Array = new Float32Array(bits.length),
): Float32Array {
  if (dtype === 'bfloat16') {
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (let i = 0; i < bits.length; i++) words[i] = (bits[i] as number) << 16;
    return values;
  }
  const table = float16Values();
  for (let i = 0; i < bits.length; i++) values[i] = table[bits[i] as number] as number;
  return values;
}

/** The bit patterns nearest to `values`, each rounded once; written to `bits`. */
export function numbersToHalf(
  values: ArrayLike<number>,
  dtype: 'float16' | 'bfloat16',
  bits: Uint16Array = new Uint16Array(values.length),
): Uint16Array {
  const encode = dtype === 'float16' ? numberToFloat16 : numberToBfloat16;
  for (let i = 0; i < bits.length; i++) bits[i] = encode(values[i] as number);
  return bits;
}

const scratchFloat = new Float64Array(1);
const scratchWords = new Uint32Array(scratchFloat.buffer);
/** The index of the half with sign and exponent: 1 on little-endian machines. */
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

const narrowFloat = new Float32Array(1);
const narrowWord = new Uint32Array(narrowFloat.buffer);

/** 1 if the dropped bits, with the low word of the scratch double below them, round up. */
function roundsUp(dropped: number, half: number, kept: number): 0 | 1 {
  if (dropped !== half) return dropped > half ? 1 : 0;
  return (scratchWords[1 - HIGH] as number) !== 0 || (kept & 1) === 1 ? 1 : 0;
}

/** Nearest integer, ties to even, for 0 <= value < 2^51: the doubles around 2^52 are integers. */
const roundToEven = (value: number): number => value + 2 ** 52 - 2 ** 52;

let float16Table: Float32Array | undefined;

/** The 65,536 values, made on first use. */
function float16Values(): Float32Array {
  if (float16Table !== undefined) return float16Table;
  const table = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const exponent = (bits >>> 10) & 0x1f;
    const mantissa = bits & 0x3ff;
    const sign = bits & 0x8000 ? -1 : 1;
    if (exponent === 0x1f) table[bits] = mantissa === 0 ? sign * Number.POSITIVE_INFINITY : NaN;
    else if (exponent === 0) table[bits] = sign * mantissa * 2 ** -24;
    else table[bits] = sign * (1024 + mantissa) * 2 ** (exponent - 25);
  }
  float16Table = table;
  return table;
}
