/** Tensors from raw bytes, and back. */
import { fail, isLeft, type Result } from '@baton/base';
import { byteLengthMismatch } from './diagnostics.ts';
import { type DType, dtypeInfo } from './dtype.ts';
import type { Shape } from './shape.ts';
import { storageOf } from './storage.ts';
import { dense } from './strided.ts';
import { checkedSize, makeTensor, type Tensor } from './tensor.ts';

/**
 * A dense row-major tensor of raw little-endian bytes. Aligned bytes are used without a copy (and
 * must not change afterwards), others are copied. The length is checked before anything is
 * allocated.
 *
 * **Errors** `TENSOR_RANK`, `TENSOR_DIMENSION`, `TENSOR_TOO_LARGE`, `TENSOR_BYTES`,
 * `TENSOR_STORAGE` (a bool byte other than 0 and 1, bits that a narrower dtype lacks).
 */
export function fromBytes(bytes: Uint8Array, shape: Shape, dtype: DType): Result<Tensor> {
  const count = checkedSize(shape);
  if (isLeft(count)) return count;
  const width = dtypeInfo(dtype).bytes;
  const expected = count.right * width;
  if (bytes.length !== expected) {
    return fail(byteLengthMismatch(shape, dtype, expected, bytes.length));
  }
  const own = LITTLE_ENDIAN ? bytes : swapped(bytes, width);
  // `slice` of Node's `Buffer` copies nothing.
  const aligned = own.byteOffset % width === 0 ? own : new Uint8Array(own);
  return makeTensor(
    new (storageOf(dtype))(aligned.buffer, aligned.byteOffset, count.right),
    shape,
    dtype,
  );
}

/** The elements as raw little-endian bytes, row-major. May be the tensor's storage: read-only. */
export function toBytes(t: Tensor): Uint8Array {
  const { data } = dense(t);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return LITTLE_ENDIAN ? bytes : swapped(bytes, data.BYTES_PER_ELEMENT);
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** A copy with the bytes of each element reversed. */
function swapped(bytes: Uint8Array, width: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  for (let start = 0; start < copy.length; start += width) {
    copy.subarray(start, start + width).reverse();
  }
  return copy;
}
