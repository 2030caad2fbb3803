/** Weights from the caller, and tensors of one value. */
import { fail, isLeft, type Result, right } from '@baton/base';
import {
  checkedSize,
  type DType,
  dtypeInfo,
  isBig,
  isFloat,
  readBigInt,
  readNumber,
  sameShape,
  splat,
  type Tensor,
} from '@baton/tensor';
import { constantTooLarge, wrongWeight } from '../diagnostics.ts';
import { type ImportOptions, mostConstantBytes, type WeightSource } from './options.ts';

/** The parts of the import that make weights. */
interface Suppliers {
  readonly options: ImportOptions;
  readonly weights: WeightSource;
}

/**
 * The tensor that the caller supplies for a value of this name, shape and dtype, if any. Only
 * floating-point values come from the caller.
 *
 * **Errors** `ONNX_WEIGHT`.
 */
export function suppliedWeight(
  state: Suppliers,
  name: string,
  shape: ReadonlyArray<number>,
  dtype: DType,
): Result<Tensor | undefined> {
  if (!isFloat(dtype)) return right(undefined);
  const tensor = state.weights(name, { shape, dtype });
  if (tensor === undefined) return right(undefined);
  const fits = tensor.dtype === dtype && sameShape(tensor.shape, shape);
  return fits ? right(tensor) : fail(wrongWeight(name, { shape, dtype }, tensor));
}

/**
 * The weight that the caller supplies for this name, or a tensor of this shape filled with `value`,
 * stored once: a file of many such nodes would otherwise need far more memory than its size.
 *
 * **Errors** `ONNX_WEIGHT`, `ONNX_LIMIT`, `TENSOR_RANK`, `TENSOR_DIMENSION`, `TENSOR_TOO_LARGE`.
 */
export function filledTensor(
  state: Suppliers,
  name: string,
  shape: ReadonlyArray<number>,
  value: Tensor,
): Result<Tensor> {
  const count = checkedSize(shape);
  if (isLeft(count)) return count;
  const supplied = suppliedWeight(state, name, shape, value.dtype);
  if (isLeft(supplied)) return supplied;
  if (supplied.right !== undefined) return right(supplied.right);
  const limit = mostConstantBytes(state.options);
  const bytes = count.right * dtypeInfo(value.dtype).bytes;
  if (bytes > limit) return fail(constantTooLarge(bytes, limit));
  const element = isBig(value.dtype) ? readBigInt(value, 0) : readNumber(value, 0);
  return right(splat(shape, value.dtype, element));
}
