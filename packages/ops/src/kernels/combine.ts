/** The combination of two values, for scans, scatters and contractions. */
import { invariant } from '@baton/base';
import { allocate, type DType, isFloat, type NumberData } from '@baton/tensor';
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

/**
 * The function of a dtype's elements, which are numbers or bigints. The low 32 bits of integers are
 * exact. An extreme of NaN is NaN.
 */
export function combining(kind: Combine, dtype: DType): (a: number, b: number) => number {
  const combine = composed(COMBINATIONS[kind], dtype);
  invariant(combine !== undefined, 'values of every type can be combined');
  return combine;
}

/** One element for accumulating: floats in double precision, integers wrap. */
export const cellOf = (dtype: DType): NumberData =>
  isFloat(dtype) ? new Float64Array(1) : (allocate(dtype, 1) as NumberData);
