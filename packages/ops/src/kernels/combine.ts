/** The combination of two values, for scans, scatters and contractions. */
import { allocate, type BigData, type DType, isFloat, type NumberData } from '@baton/tensor';

/** The result of combining two values. */
export type Combine = 'update' | 'add' | 'mul' | 'min' | 'max';

/** The combination of numbers; the low 32 bits of integers are exact. NaN wins an extreme. */
export function combineNumbers(kind: Combine, dtype: DType): (a: number, b: number) => number {
  switch (kind) {
    case 'update':
      return (_a, b) => b;
    case 'add':
      return (a, b) => a + b;
    case 'mul':
      return isFloat(dtype) ? (a, b) => a * b : Math.imul;
    case 'min':
      return Math.min;
    case 'max':
      return Math.max;
  }
}

/** The combination of 64-bit integers. */
export function combineBigs(kind: Combine): (a: bigint, b: bigint) => bigint {
  switch (kind) {
    case 'update':
      return (_a, b) => b;
    case 'add':
      return (a, b) => a + b;
    case 'mul':
      return (a, b) => a * b;
    case 'min':
      return leastBig;
    case 'max':
      return greatestBig;
  }
}

/** One element to accumulate numbers in: floats in double precision, integers wrap. */
export const numberCell = (dtype: DType): NumberData =>
  isFloat(dtype) ? new Float64Array(1) : (allocate(dtype, 1) as NumberData);

/** One element to accumulate 64-bit integers in: they wrap. */
export const bigCell = (dtype: DType): BigData => allocate(dtype, 1) as BigData;

// `Math.min` and `Math.max` do not take bigints.
function leastBig(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

function greatestBig(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
