/**
 * Numbers in words: the shortest digits that read back to the same element
 * ([language §2](https://batonjs.github.io/baton/spec/language#2)).
 */
import { castNumber, type DType, isBig, readBigInt, readNumber } from '@baton/tensor';
import type { Constant } from '../expr/expr.ts';

/** The value of a number without suffix, exactly as written. */
export function literalValue(node: Constant): number | bigint {
  if (isBig(node.data.dtype)) return readBigInt(node.data, 0);
  const value = readNumber(node.data, 0);
  if (node.literal !== 'float' || !Number.isFinite(value)) return value;
  return Number(shortestDigits(value, node.data.dtype));
}

/** Digits that always suffice; for float64, JavaScript itself finds the shortest. */
const MAX_DIGITS: { readonly [D in DType]?: number } = { float16: 5, float32: 9, bfloat16: 4 };

/** The fewest decimal digits that read back to `value`, as JavaScript prints numbers. */
export function shortestDigits(value: number, dtype: DType): string {
  const most = MAX_DIGITS[dtype];
  if (Object.is(value, -0)) return '-0';
  if (most === undefined || (Number.isInteger(value) && Math.abs(value) < 100)) {
    return String(value);
  }
  const short = dtype === 'float32' ? shortFloat32(value) : undefined;
  if (short !== undefined) return String(short);
  // Most values need all digits or one less, so the search goes downwards.
  let shortest = Number(value.toPrecision(most));
  for (let digits = most - 1; digits > 0; digits--) {
    const shorter = Number(value.toPrecision(digits));
    const readsBack = dtype === 'float32' ? Math.fround(shorter) : castNumber(shorter, dtype);
    if (readsBack !== value) break;
    shortest = shorter;
  }
  return String(shortest);
}

const DECIMALS = 10_000;
const MAX_SHORT = 1_000_000;

/** A float32 of at most six digits, four after the point, that reads back: none is shorter. */
function shortFloat32(value: number): number | undefined {
  const scaled = Math.round(value * DECIMALS);
  if (scaled === 0 || Math.abs(scaled) >= MAX_SHORT) return undefined;
  const short = scaled / DECIMALS;
  return Math.fround(short) === value ? short : undefined;
}

/** Numbers with this many padding zeros are written with an exponent. */
const MAX_PADDING_ZEROS = 6;
const PADDING = '0'.repeat(MAX_PADDING_ZEROS);

/** A float as literal digits: positional, or with an exponent if zeros would only pad. */
export function floatText(value: number, dtype: DType, plus: '' | '+' = ''): string {
  const text = shortestDigits(value, dtype);
  // JavaScript writes an exponent from 21 digits on, and below the sixth place after the point.
  if (!text.includes('e') && !text.endsWith(PADDING)) return text;
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return text;
  const leading = /^0*/.exec(`${whole}${fraction}`)?.[0].length ?? 0;
  // The value is 0.digits × 10^point.
  const point = whole.length - leading + Number(exponent);
  const padding = Math.max(point - digits.length, -point);
  if (padding <= MAX_PADDING_ZEROS) return `${sign}${positional(digits, point)}`;
  const mantissa = digits.length === 1 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  const power = point - 1;
  return `${sign}${mantissa}e${power < 0 ? '' : plus}${power}`;
}

function positional(digits: string, point: number): string {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A float with its suffix; `nan` and `inf` as names. */
export function suffixedFloat(value: number, dtype: DType, suffix: string): string {
  if (Number.isFinite(value)) return floatText(value, dtype) + suffix;
  if (Number.isNaN(value)) return `nan${suffix}`;
  return value > 0 ? `inf${suffix}` : `-inf${suffix}`;
}
