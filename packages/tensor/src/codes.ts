/** Dtypes that are narrower than their storage, or stored as bit patterns. */
import { type CodedDType, type DType, dtypeInfo, isFloat } from './dtype.ts';
import { floatCode } from './float-code.ts';

export type Codes = Uint8Array | Uint16Array;

/** Decodes bit patterns, exactly in float32, into `values`. */
export function decodeFloats(
  codes: Codes,
  dtype: CodedDType,
  values: Float32Array = new Float32Array(codes.length),
): Float32Array {
  const table = floatCode(dtype).values;
  for (let i = 0; i < codes.length; i++) values[i] = table[codes[i] as number] as number;
  return values;
}

/** Encodes `values` as the nearest bit patterns, each rounded once, into `codes`. */
export function encodeFloats(values: ArrayLike<number>, dtype: CodedDType, codes: Codes): Codes {
  const { encode } = floatCode(dtype);
  for (let i = 0; i < codes.length; i++) codes[i] = encode(values[i] as number);
  return codes;
}

/** Whether storage can hold more than the values of `dtype`: for bool, and below 8 bits. */
export const hasRoom = (dtype: DType): boolean => dtypeInfo(dtype).bits < 8;

/** Whether all elements of such storage are values of `dtype`. */
export function isWithin(data: ArrayLike<number>, dtype: DType): boolean {
  const { bits, min, max } = dtypeInfo(dtype);
  const [least, most] = isFloat(dtype) ? [0, 2 ** bits - 1] : [Number(min), Number(max)];
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (value < least || value > most) return false;
  }
  return true;
}

/** Keeps the low bits of what is written to such storage, and the sign of an integer. */
export function narrow<Data extends Uint8Array | Int8Array>(data: Data, dtype: DType): Data {
  const { bits, kind } = dtypeInfo(dtype);
  const unused = 32 - bits;
  for (let i = 0; i < data.length; i++) {
    const moved = (data[i] as number) << unused;
    data[i] = kind === 'int' ? moved >> unused : moved >>> unused;
  }
  return data;
}
