/** The arithmetic and storage of sums of products, which convolutions use as well. */
import {
  cast,
  type DType,
  dtypeInfo,
  isBig,
  isFloat,
  type Memory,
  type Shape,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import type { Arithmetic } from './gemm.ts';
import { finish, resultBuffer } from './values.ts';

export interface ProductPlan {
  readonly arithmetic: Arithmetic;
  /** The dtype of the buffer of sums, before a last cast to `dtype`. */
  readonly stored: DType;
  readonly dtype: DType;
}

/** Sums of products of 16-bit integers are exact in double up to this many terms. */
const EXACT_TERMS = 2 ** 20;

/**
 * The plan for operands of `dtype`, a result of `result` and sums of `terms` products.
 *
 * Floats are summed in double and rounded once. Integers are summed exactly, or modulo 2^32 or 2^64,
 * and wrapped to the result.
 */
export function planProduct(dtype: DType, result: DType, terms: number): ProductPlan {
  const plan = (arithmetic: Arithmetic, stored: DType): ProductPlan => {
    return { arithmetic, stored, dtype: result };
  };
  const bits = dtypeInfo(dtype).bits;
  if (isFloat(dtype)) return plan('double', isFloat(result) ? result : 'float64');
  if (bits <= 16 && terms <= EXACT_TERMS) {
    return plan('double', isBig(result) || result === 'bool' ? 'float64' : result);
  }
  const fits32 = bits <= 32 && !isBig(result) && !isFloat(result) && result !== 'bool';
  if (fits32) return plan('int32', result);
  return plan('bigint', isBig(result) ? result : 'int64');
}

export const productBuffer = (plan: ProductPlan, count: number, memory: Memory): TensorData =>
  resultBuffer(plan.stored, count, memory);

export const finishProduct = (
  plan: ProductPlan,
  buffer: TensorData,
  shape: Shape,
  memory: Memory,
): Tensor => cast(finish(buffer, shape, plan.stored, memory), plan.dtype, memory);
