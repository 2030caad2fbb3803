/** Elements of 2 and 4 bits, which files hold several to a byte, the first in the low bits. */
import { type DType, dtypeInfo, narrow, type Tensor, toBytes } from '@baton/tensor';

/** The number of elements of a dtype in a byte of a file, or 1. */
export function elementsInByte(dtype: DType): number {
  const { bits } = dtypeInfo(dtype);
  return dtype === 'bool' || bits >= 8 ? 1 : 8 / bits;
}

/**
 * The elements in bytes of a file, one to a byte; the bytes themselves if they are not packed, or
 * if `count` elements take another number of bytes.
 */
export function unpacked(bytes: Uint8Array, dtype: DType, count: number): Uint8Array {
  const each = elementsInByte(dtype);
  if (each === 1 || bytes.length !== Math.ceil(count / each)) return bytes;
  const { bits } = dtypeInfo(dtype);
  const elements = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    elements[i] = (bytes[Math.floor(i / each)] as number) >> (bits * (i % each));
  }
  narrow(new Int8Array(elements.buffer), dtype);
  return elements;
}

/** The bytes of a tensor in a file. They may be the tensor's own storage: do not write to them. */
export function packed(tensor: Tensor): Uint8Array {
  const elements = toBytes(tensor);
  const { dtype } = tensor;
  const each = elementsInByte(dtype);
  if (each === 1) return elements;
  const { bits } = dtypeInfo(dtype);
  const bytes = new Uint8Array(Math.ceil(elements.length / each));
  for (const [i, element] of elements.entries()) {
    const low = element & (2 ** bits - 1);
    bytes[Math.floor(i / each)] =
      (bytes[Math.floor(i / each)] as number) | (low << (bits * (i % each)));
  }
  return bytes;
}
