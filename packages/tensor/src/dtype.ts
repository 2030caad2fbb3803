/** The element types of the specification, and the facts about each. */

/** Every element type, in the order of all lists. */
export const DTYPES = [
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
  'bfloat16',
] as const;

/** The element type of a tensor. */
export type DType = (typeof DTYPES)[number];

/** The families of element types: within one, arithmetic follows the same rules. */
export type DTypeKind = 'bool' | 'int' | 'uint' | 'float' | 'bfloat';

/** The fixed facts about an element type. */
export interface DTypeInfo {
  readonly dtype: DType;
  readonly kind: DTypeKind;
  /** Width in bits of the value: 1 for bool. */
  readonly bits: number;
  /** Bytes that one element takes in storage: 1 for bool. */
  readonly bytes: number;
  /** Least finite value, exact: a bigint for the 64-bit integers. */
  readonly min: number | bigint;
  /** Greatest finite value, exact: a bigint for the 64-bit integers. */
  readonly max: number | bigint;
}

const FLOAT32_MAX = 3.4028234663852886e38;
const BFLOAT16_MAX = 3.3895313892515355e38;

const INFO: { readonly [D in DType]: DTypeInfo } = {
  bool: { dtype: 'bool', kind: 'bool', bits: 1, bytes: 1, min: 0, max: 1 },
  int8: signed('int8', 8),
  int16: signed('int16', 16),
  int32: signed('int32', 32),
  int64: {
    dtype: 'int64',
    kind: 'int',
    bits: 64,
    bytes: 8,
    min: -(2n ** 63n),
    max: 2n ** 63n - 1n,
  },
  uint8: unsigned('uint8', 8),
  uint16: unsigned('uint16', 16),
  uint32: unsigned('uint32', 32),
  uint64: { dtype: 'uint64', kind: 'uint', bits: 64, bytes: 8, min: 0n, max: 2n ** 64n - 1n },
  float16: floating('float16', 'float', 16, 65504),
  float32: floating('float32', 'float', 32, FLOAT32_MAX),
  float64: floating('float64', 'float', 64, Number.MAX_VALUE),
  bfloat16: floating('bfloat16', 'bfloat', 16, BFLOAT16_MAX),
};

/** The facts about `dtype`. */
export const dtypeInfo = (dtype: DType): DTypeInfo => INFO[dtype];

/** Whether a value is the name of an element type. */
export const isDType = (value: unknown): value is DType =>
  typeof value === 'string' && Object.hasOwn(INFO, value);

/** Whether `dtype` is float16, float32, float64 or bfloat16. */
export const isFloat = (dtype: DType): boolean =>
  INFO[dtype].kind === 'float' || INFO[dtype].kind === 'bfloat';

/** Whether `dtype` is a signed or unsigned integer; bool is not. */
export const isInteger = (dtype: DType): boolean =>
  INFO[dtype].kind === 'int' || INFO[dtype].kind === 'uint';

/** Whether elements are stored as bigints: int64 and uint64. */
export const isBig = (dtype: DType): dtype is 'int64' | 'uint64' =>
  dtype === 'int64' || dtype === 'uint64';

/** Whether elements are stored as raw 16-bit patterns: float16 and bfloat16. */
export const isHalf = (dtype: DType): dtype is 'float16' | 'bfloat16' =>
  dtype === 'float16' || dtype === 'bfloat16';

function signed(dtype: DType, bits: number): DTypeInfo {
  const half = 2 ** (bits - 1);
  return { dtype, kind: 'int', bits, bytes: bits / 8, min: -half, max: half - 1 };
}

function unsigned(dtype: DType, bits: number): DTypeInfo {
  return { dtype, kind: 'uint', bits, bytes: bits / 8, min: 0, max: 2 ** bits - 1 };
}

function floating(dtype: DType, kind: DTypeKind, bits: number, max: number): DTypeInfo {
  return { dtype, kind, bits, bytes: bits / 8, min: -max, max };
}
