/** Tensors in files of their own. */
import { isLeft, nodeSpan, type Result } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import { type DecodeOptions, decodeTensorFile } from '../decode-model.ts';
import { tensorOf } from './tensors.ts';

/**
 * The tensor of a file with one TensorProto, like ONNX's test data (`input_0.pb`).
 *
 * **Errors** `ONNX_MALFORMED`, `ONNX_LIMIT`, and the tensor's: `ONNX_ELEMENT_TYPE`,
 * `ONNX_ELEMENT_COUNT`, `ONNX_EXTERNAL_DATA`, `TENSOR_BYTES`, `TENSOR_STORAGE`.
 */
export function readTensorFile(bytes: Uint8Array, options: DecodeOptions = {}): Result<Tensor> {
  const proto = decodeTensorFile(bytes, options);
  if (isLeft(proto)) return proto;
  return tensorOf(proto.right, nodeSpan(options.source ?? 'onnx', proto.right.name, 'TensorProto'));
}
