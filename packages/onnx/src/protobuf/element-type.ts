/** ONNX's enumeration of element types. */
import { invariant } from '@baton/base';
import type { DType } from '@baton/tensor';
import type { TypedList } from './messages.ts';

/** An element type of a file: its dtype, and the typed list that holds it. */
export interface ElementType {
  readonly dtype: DType;
  readonly list: TypedList;
  /** The first operator set with the type, if it is later than all that are written. */
  readonly since?: number;
}

const ELEMENT_TYPES: ReadonlyMap<number, ElementType> = new Map([
  [1, { dtype: 'float32', list: 'float_data' }],
  [2, { dtype: 'uint8', list: 'int32_data' }],
  [3, { dtype: 'int8', list: 'int32_data' }],
  [4, { dtype: 'uint16', list: 'int32_data' }],
  [5, { dtype: 'int16', list: 'int32_data' }],
  [6, { dtype: 'int32', list: 'int32_data' }],
  [7, { dtype: 'int64', list: 'int64_data' }],
  [9, { dtype: 'bool', list: 'int32_data' }],
  [10, { dtype: 'float16', list: 'int32_data' }],
  [11, { dtype: 'float64', list: 'double_data' }],
  [12, { dtype: 'uint32', list: 'uint64_data' }],
  [13, { dtype: 'uint64', list: 'uint64_data' }],
  [16, { dtype: 'bfloat16', list: 'int32_data' }],
  [17, { dtype: 'float8_e4m3fn', list: 'int32_data', since: 19 }],
  [18, { dtype: 'float8_e4m3fnuz', list: 'int32_data', since: 19 }],
  [19, { dtype: 'float8_e5m2', list: 'int32_data', since: 19 }],
  [20, { dtype: 'float8_e5m2fnuz', list: 'int32_data', since: 19 }],
  [21, { dtype: 'uint4', list: 'int32_data', since: 21 }],
  [22, { dtype: 'int4', list: 'int32_data', since: 21 }],
  [23, { dtype: 'float4_e2m1fn', list: 'int32_data', since: 23 }],
  [24, { dtype: 'float8_e8m0fnu', list: 'int32_data', since: 24 }],
  [25, { dtype: 'uint2', list: 'int32_data', since: 25 }],
  [26, { dtype: 'int2', list: 'int32_data', since: 25 }],
]);

/** The names of unsupported types. */
const OTHER_TYPES: ReadonlyMap<number, string> = new Map([
  [0, 'undefined'],
  [8, 'string'],
  [14, 'complex64'],
  [15, 'complex128'],
  [27, 'float6e2m3'],
  [28, 'float6e3m2'],
]);

/** The element type of this number, if Baton has it. */
export const elementType = (dataType: number): ElementType | undefined =>
  ELEMENT_TYPES.get(dataType);

/** The name of an unsupported element type. */
export const elementTypeName = (dataType: number): string =>
  OTHER_TYPES.get(dataType) ?? `number ${dataType}`;

/** The number of a dtype. */
export const elementNumber = (dtype: DType): number => row(dtype)[0];

/** The first operator set with a dtype; 0 if all that are written have it. */
export const elementSince = (dtype: DType): number => row(dtype)[1].since ?? 0;

function row(dtype: DType): readonly [number, ElementType] {
  const found = BY_DTYPE.get(dtype);
  invariant(found !== undefined, `every dtype has a number: ${dtype}`);
  return found;
}

const BY_DTYPE = new Map([...ELEMENT_TYPES].map((entry) => [entry[1].dtype, entry] as const));
