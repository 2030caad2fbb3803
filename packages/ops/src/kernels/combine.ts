/** The combination of two values, for scans, scatters and contractions. */
import { invariant } from '@baton/base';
import { allocate, type BigData, type DType, isFloat, type NumberData } from '@baton/tensor';
import { composed } from '../scalar/compile.ts';
import { math, type Scalar, x, y } from '../scalar/expr.ts';

export type Combine = 'update' | 'add' | 'mul' | 'min' | 'max';

export const COMBINATIONS: Readonly<Record<Combine, Scalar>> = {
  update: y,
  add: math.add(x, y),
  mul: math.mul(x, y),
  min: math.min(x, y),
  max: math.max(x, y),
};

/** The low 32 bits of integers are exact. An extreme of NaN is NaN. */
export function combineNumbers(kind: Combine, dtype: DType): (a: number, b: number) => number {
  const combine = composed(COMBINATIONS[kind], dtype);
  invariant(combine !== undefined, 'values of every type can be combined');
  return combine;
}

export const combineBigs = (kind: Combine): ((a: bigint, b: bigint) => bigint) =>
  // A function of the type's elements.
  combineNumbers(kind, 'int64') as unknown as (a: bigint, b: bigint) => bigint;

/** One element for accumulating numbers: floats in double precision, integers wrap. */
export const numberCell = (dtype: DType): NumberData =>
  isFloat(dtype) ? new Float64Array(1) : (allocate(dtype, 1) as NumberData);

/** One element for accumulating 64-bit integers, which wrap. */
export const bigCell = (dtype: DType): BigData => allocate(dtype, 1) as BigData;
