/** The dtypes of the specification, and the facts about each. */

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

/**
 * The dtypes of 2, 4 and 8 bits that hold quantized data, under the names of NumPy's extension
 * ml_dtypes: most programs cast them before they compute.
 */
export const STORAGE_DTYPES = [
  'int2',
  'int4',
  'uint2',
  'uint4',
  'float4_e2m1fn',
  'float8_e4m3fn',
  'float8_e4m3fnuz',
  'float8_e5m2',
  'float8_e5m2fnuz',
  'float8_e8m0fnu',
] as const;

export type DType = (typeof DTYPES)[number] | (typeof STORAGE_DTYPES)[number];

/** The dtypes whose elements are stored as bit patterns, and read as float32. */
export type CodedDType = 'float16' | 'bfloat16' | SmallFloat;

/** The floats of at most 8 bits. */
export type SmallFloat = Extract<DType, `float4_${string}` | `float8_${string}`>;

/**
 * The families of dtypes. Of two in one family, the wider holds every value of the narrower; but
 * the `small` floats, of at most 8 bits, are unrelated.
 */
export type DTypeKind = 'bool' | 'int' | 'uint' | 'float' | 'bfloat' | 'small';

export interface DTypeInfo {
  readonly dtype: DType;
  readonly kind: DTypeKind;
  /** The width of the value in bits: 1 for bool. */
  readonly bits: number;
  /** The bytes of one element in storage: 1 for bool, and up to 8 bits. */
  readonly bytes: number;
  /** The least finite value, exact: a bigint for 64-bit integers. */
  readonly min: number | bigint;
  /** The greatest finite value, exact: a bigint for 64-bit integers. */
  readonly max: number | bigint;
}

export const FLOAT32_MAX = 3.4028234663852886e38;
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
  int2: signed('int2', 2),
  int4: signed('int4', 4),
  uint2: unsigned('uint2', 2),
  uint4: unsigned('uint4', 4),
  float4_e2m1fn: small('float4_e2m1fn', 6, 4),
  float8_e4m3fn: small('float8_e4m3fn', 448),
  float8_e4m3fnuz: small('float8_e4m3fnuz', 240),
  float8_e5m2: small('float8_e5m2', 57344),
  float8_e5m2fnuz: small('float8_e5m2fnuz', 57344),
  float8_e8m0fnu: { ...small('float8_e8m0fnu', 2 ** 127), min: 2 ** -127 },
};

export const dtypeInfo = (dtype: DType): DTypeInfo => INFO[dtype];

export const isDType = (value: unknown): value is DType =>
  typeof value === 'string' && Object.hasOwn(INFO, value);

const FLOATS: ReadonlySet<DTypeKind> = new Set(['float', 'bfloat', 'small']);

export const isFloat = (dtype: DType): boolean => FLOATS.has(INFO[dtype].kind);

/** Whether `dtype` is a signed or unsigned integer; bool is not. */
export const isInteger = (dtype: DType): boolean =>
  INFO[dtype].kind === 'int' || INFO[dtype].kind === 'uint';

/** Whether elements are stored as bigints: int64 and uint64. */
export const isBig = (dtype: DType): dtype is 'int64' | 'uint64' =>
  dtype === 'int64' || dtype === 'uint64';

/** Whether elements are stored as bit patterns: floats of less than 32 bits. */
export const isCoded = (dtype: DType): dtype is CodedDType =>
  isFloat(dtype) && INFO[dtype].bits < 32;

function signed(dtype: DType, bits: number): DTypeInfo {
  const half = 2 ** (bits - 1);
  return { dtype, kind: 'int', bits, bytes: Math.ceil(bits / 8), min: -half, max: half - 1 };
}

function unsigned(dtype: DType, bits: number): DTypeInfo {
  return { dtype, kind: 'uint', bits, bytes: Math.ceil(bits / 8), min: 0, max: 2 ** bits - 1 };
}

function small(dtype: DType, max: number, bits = 8): DTypeInfo {
  return floating(dtype, 'small', bits, max);
}

function floating(dtype: DType, kind: DTypeKind, bits: number, max: number): DTypeInfo {
  return { dtype, kind, bits, bytes: Math.ceil(bits / 8), min: -max, max };
}
