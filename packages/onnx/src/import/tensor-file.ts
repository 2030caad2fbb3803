/** Tensors in files of their own. */
import { isLeft, nodeSpan, type Result, right } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import { type DecodeOptions, decodeTensorFile, decodeValueFile } from '../decode-model.ts';
import type { TensorProto } from '../protobuf/messages.ts';
import type { KnownValue } from './options.ts';
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

/**
 * The value of a file with one SequenceProto or OptionalProto: a tensor, a list of tensors, or `null`
 * for an optional value that is absent.
 *
 * **Errors** as {@link readTensorFile}.
 */
export function readValueFile(
  bytes: Uint8Array,
  kind: 'sequence' | 'optional',
  options: DecodeOptions = {},
): Result<KnownValue> {
  const decoded = decodeValueFile(bytes, kind, options);
  if (isLeft(decoded)) return decoded;
  const span = nodeSpan(options.source ?? 'onnx', kind, 'ValueProto');
  const value = decoded.right;
  if (value === null) return right(null);
  if (!isList(value)) return tensorOf(value, span);
  const tensors: Tensor[] = [];
  for (const proto of value) {
    const tensor = tensorOf(proto, span);
    if (isLeft(tensor)) return tensor;
    tensors.push(tensor.right);
  }
  return right(tensors);
}

const isList = (
  value: TensorProto | ReadonlyArray<TensorProto>,
): value is ReadonlyArray<TensorProto> => Array.isArray(value);
