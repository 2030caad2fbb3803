/** ONNX's enumeration of element types. */
import { invariant } from '@baton/base';
import type { DType } from '@baton/tensor';
import type { TypedList } from './messages.ts';

/** An element type of a file: its dtype, and the typed list that holds it. */
export interface ElementType {
  readonly dtype: DType;
  readonly list: TypedList;
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
]);

/** The names of unsupported types. */
const OTHER_TYPES: ReadonlyMap<number, string> = new Map([
  [0, 'undefined'],
  [8, 'string'],
  [14, 'complex64'],
  [15, 'complex128'],
  [17, 'float8e4m3fn'],
  [18, 'float8e4m3fnuz'],
  [19, 'float8e5m2'],
  [20, 'float8e5m2fnuz'],
  [21, 'uint4'],
  [22, 'int4'],
  [23, 'float4e2m1'],
  [24, 'float8e8m0'],
  [25, 'uint2'],
  [26, 'int2'],
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
export const elementNumber = (dtype: DType): number => {
  for (const [number, element] of ELEMENT_TYPES) if (element.dtype === dtype) return number;
  invariant(false, `every dtype has a number: ${dtype}`);
};
