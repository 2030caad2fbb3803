/**
 * Numbers in text: [language §2](https://batonjs.github.io/baton/spec/language#2). Reading one
 * gives its exact value.
 */
import { shortestDigits } from '@baton/ir';
import { castNumber, type DType, dtypeInfo, isFloat, scalar, type Tensor } from '@baton/tensor';

/** The meaning of a number in a text. `dtype` is absent for a number without suffix. */
export type NumberToken =
  | { readonly kind: 'int'; readonly value: number | bigint; readonly dtype: DType | undefined }
  | { readonly kind: 'float'; readonly value: number; readonly dtype: DType | undefined };

export type NumberFault = 'malformed' | 'out of range';

const INT_SUFFIXES: ReadonlyMap<string, DType> = new Map([
  ['i', 'int32'],
  ['i8', 'int8'],
  ['i16', 'int16'],
  ['i32', 'int32'],
  ['i64', 'int64'],
  ['u8', 'uint8'],
  ['u16', 'uint16'],
  ['u32', 'uint32'],
  ['u64', 'uint64'],
]);

const FLOAT_SUFFIXES: ReadonlyMap<string, DType> = new Map([
  ['f', 'float32'],
  ['f16', 'float16'],
  ['f32', 'float32'],
  ['f64', 'float64'],
]);

const SUFFIX_OF: { readonly [D in DType]?: string } = {
  int8: 'i8',
  int16: 'i16',
  int32: 'i32',
  int64: 'i64',
  uint8: 'u8',
  uint16: 'u16',
  uint32: 'u32',
  uint64: 'u64',
  float16: 'f16',
  float32: 'f',
  float64: 'f64',
};

/** The suffix that fixes a number's dtype; bool, bfloat16 and the types of less than 8 bits or of 8-bit floats have none. */
export const suffixOf = (dtype: DType): string | undefined => SUFFIX_OF[dtype];

/** No integer with more digits is a finite float64, so longer ones are not read. */
const MAX_INTEGER_DIGITS = 400;

const NUMBER = /^(-*)(\d+)(\.\d+)?([eE][+-]?\d+)?([A-Za-z_][A-Za-z0-9_]*)?$/;
const SPECIAL = /^(-*)(inf|nan)(f(?:16|32|64)?)$/;

/** Whether a bare name is `inff`, `nanf` or one of their widths. */
export const isSpecialFloat = (name: string): boolean => SPECIAL.test(name);

/** The meaning of a number token: its sign included, and its range checked against the suffix. */
export function readNumberToken(text: string): NumberToken | NumberFault {
  const parts = NUMBER.exec(text);
  if (parts === null) {
    const special = SPECIAL.exec(text);
    return special === null ? 'malformed' : specialFloat(special);
  }
  const [, minuses = '', whole = '', fraction, exponent, suffix] = parts;
  const negative = minuses.length % 2 === 1;
  const isFloatForm = fraction !== undefined || exponent !== undefined;
  if (!isFloatForm && (suffix === undefined || INT_SUFFIXES.has(suffix))) {
    return integer(negative, whole, suffix);
  }
  const dtype = suffix === undefined ? undefined : FLOAT_SUFFIXES.get(suffix);
  if (suffix !== undefined && dtype === undefined) return 'malformed';
  const magnitude = Number(`${whole}${fraction ?? ''}${exponent ?? ''}`);
  const digits = `${whole}${(fraction ?? '').slice(1)}`.replace(/^0+/, '').length;
  if (!floatFits(magnitude, digits, dtype ?? 'float64')) return 'out of range';
  return { kind: 'float', value: negative ? -magnitude : magnitude, dtype };
}

function specialFloat(parts: RegExpExecArray): NumberToken {
  const [, minuses = '', word, suffix = 'f'] = parts;
  const magnitude = word === 'inf' ? Number.POSITIVE_INFINITY : Number.NaN;
  const value = minuses.length % 2 === 1 ? -magnitude : magnitude;
  return { kind: 'float', value, dtype: FLOAT_SUFFIXES.get(suffix) };
}

function integer(
  negative: boolean,
  digits: string,
  suffix: string | undefined,
): NumberToken | NumberFault {
  const dtype = suffix === undefined ? undefined : INT_SUFFIXES.get(suffix);
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > MAX_INTEGER_DIGITS) return 'out of range';
  const magnitude = significant.length <= 15 ? Number(significant) : BigInt(significant);
  const value = negative ? -magnitude : magnitude;
  if (dtype !== undefined && !integerFits(value, dtype)) return 'out of range';
  if (!Number.isFinite(Number(value))) return 'out of range';
  return { kind: 'int', value, dtype };
}

/** Whether `value` is in the range of an integer dtype. */
export function integerFits(value: number | bigint, dtype: DType): boolean {
  const { min, max } = dtypeInfo(dtype);
  return value >= min && value <= max;
}

/**
 * Whether a magnitude is at most the dtype's largest finite value, or is that value with fewer
 * digits: `3.4028235e38f` is, `65505f16` is not.
 */
function floatFits(magnitude: number, digitCount: number, dtype: DType): boolean {
  const max = Number(dtypeInfo(dtype).max);
  if (magnitude <= max) return true;
  const isMaxInShort = digitCount <= 17 && Number(max.toPrecision(digitCount)) === magnitude;
  return isMaxInShort && castNumber(magnitude, dtype) === max;
}

/** Whether a number of JSON is in the range of a float dtype, by {@link readNumberToken}'s rule. */
export function floatHolds(value: number, dtype: DType): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = String(value)
    .replace(/e.*|\D/g, '')
    .replace(/^0+/, '');
  return floatFits(Math.abs(value), digits.length, dtype);
}

/**
 * The constant of a number token, and its mark
 * ([types §6.3](https://batonjs.github.io/baton/spec/types#6.3)).
 */
export interface NumberConstant {
  readonly data: Tensor;
  readonly literal: 'int' | 'float' | undefined;
}

/**
 * The constant of a number token. A number without suffix gets its default dtype if that keeps the
 * written value, else the next wider one: `literalValue` gives it back exactly.
 */
export function numberConstant(token: NumberToken): NumberConstant {
  const dtype = dtypeOfNumber(token);
  if (token.dtype === undefined) return { data: scalar(token.value, dtype), literal: token.kind };
  return { data: scalar(clamped(token.value, dtype), dtype), literal: undefined };
}

export function dtypeOfNumber({ kind, value, dtype }: NumberToken): DType {
  if (dtype !== undefined) return dtype;
  if (kind === 'float') {
    const isKept = Number(shortestDigits(Math.fround(value), 'float32')) === value;
    return isKept ? 'float32' : 'float64';
  }
  return (['int32', 'int64', 'uint64'] as const).find((d) => integerFits(value, d)) ?? 'float64';
}

/** The largest value of a dtype may be written slightly larger than it is. */
function clamped(value: number | bigint, dtype: DType): number | bigint {
  if (typeof value === 'bigint' || !Number.isFinite(value) || !isFloat(dtype)) return value;
  const max = Number(dtypeInfo(dtype).max);
  return Math.max(-max, Math.min(max, value));
}
