/**
 * A sparse tensor as a dense one.
 *
 * **Errors** of its values and indices; `ONNX_SPARSE` if they do not fit together, `ONNX_LIMIT`,
 * `TENSOR_RANK`, `TENSOR_DIMENSION`, `TENSOR_TOO_LARGE`.
 */
import { fail, isLeft, type Result, type Span } from '@baton/base';
import {
  allocate,
  checkedSize,
  makeTensor,
  rowMajorStrides,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { badSparse, constantTooLarge, located } from '../diagnostics.ts';
import type { SparseTensorProto } from '../protobuf/messages.ts';
import { type ImportOptions, mostConstantBytes } from './options.ts';
import { tensorOf } from './tensors.ts';

export function denseOf(
  sparse: SparseTensorProto,
  options: ImportOptions,
  span: Span,
): Result<Tensor> {
  const values = tensorOf(sparse.values, span, options);
  const indices = tensorOf(sparse.indices, span, options);
  if (isLeft(values)) return values;
  if (isLeft(indices)) return indices;
  const shape = sparse.dims.map(Number);
  const size = checkedSize(shape);
  if (isLeft(size)) return located(size, span);
  const { data: listed, dtype } = values.right;
  const limit = mostConstantBytes(options);
  const bytes = size.right * listed.BYTES_PER_ELEMENT;
  if (bytes > limit) return located(fail(constantTooLarge(bytes, limit)), span);
  const places = placesOf(indices.right, shape, values.right.shape);
  if (places?.every((place) => place >= 0 && place < size.right) !== true) {
    return fail(badSparse(sparse.values.name, span));
  }
  const data = allocate(dtype, size.right);
  for (const [i, place] of places.entries()) data[place] = listed[i] as never;
  return located(makeTensor(data, shape, dtype), span);
}

/** The places of the values in row-major order; `undefined` if their numbers differ. */
function placesOf(
  indices: Tensor,
  shape: ReadonlyArray<number>,
  values: ReadonlyArray<number>,
): ReadonlyArray<number> | undefined {
  const numbers = Array.from(toNumbers(indices));
  const [count = 0, rank] = indices.shape;
  if (indices.dtype !== 'int64' || values.length !== 1 || count !== values[0]) return undefined;
  if (indices.shape.length === 1) return numbers;
  if (indices.shape.length !== 2 || rank !== shape.length) return undefined;
  const strides = rowMajorStrides(shape);
  return Array.from({ length: count }, (_, i) => {
    const row = numbers.slice(i * rank, (i + 1) * rank);
    const isInside = row.every((at, axis) => at >= 0 && at < (shape[axis] ?? 0));
    return isInside ? row.reduce((sum, at, axis) => sum + at * (strides[axis] ?? 0), 0) : -1;
  });
}
