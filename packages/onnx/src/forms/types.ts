/** Casts, and types made from others. */
import { type Dim, type TensorType, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';
import type { CallContext, Operand } from '../operator-api/exporter.ts';

/** The tensor in another dtype; itself if it has it. */
export const castTo = (context: CallContext, x: Operand, dtype: DType): Operand =>
  context.dtype(x) === dtype ? x : context.call('cast', [x], { dtype });

/** The type with another dtype. */
export const withDType = ({ shape }: TensorType, dtype: DType): TensorType =>
  tensorType(shape, dtype);

/** The dtype of the call's result. */
export const resultDType = (context: CallContext): DType =>
  (context.results[0]?.dtype ?? 'float32') as DType;

/** The dimensions of the call's result. */
export const resultDims = ({ results }: CallContext): ReadonlyArray<Dim> => {
  const shape = results[0]?.shape;
  return shape === undefined || '_tag' in shape ? [] : shape;
};

/** An axis counted from the front. */
export const fromFront = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);
