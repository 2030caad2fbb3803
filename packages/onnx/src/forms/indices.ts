/** Indices as ONNX takes them. */
import { type DType, fromNumbers, type Tensor } from '@baton/tensor';
import type { CallContext, Operand } from '../operator-api/exporter.ts';
import { castTo } from './types.ts';

/** Indices as int32 or int64. */
export const asIndices = (context: CallContext, x: Operand): Operand =>
  INDEX_DTYPES.includes(context.dtype(x)) ? x : castTo(context, x, 'int64');

const INDEX_DTYPES: ReadonlyArray<DType> = ['int32', 'int64'];

/** Rows of int64 indices from the columns that Relay has. */
export function indexRows(context: CallContext, columns: Operand): Operand {
  const rank = context.dims(columns).length;
  const indices = castTo(context, columns, 'int64');
  const axes = Array.from({ length: rank }, (_, i) => (i + 1) % rank);
  return rank < 2 ? indices : context.call('transpose', [indices], { axes });
}

/** The numbers from 0 on, in row-major order. */
export const placesOf = (shape: ReadonlyArray<number>, dtype: DType): Tensor => {
  const length = shape.reduce((size, dim) => size * dim, 1);
  return fromNumbers(
    Float64Array.from({ length }, (_, i) => i),
    shape,
    dtype,
  );
};
