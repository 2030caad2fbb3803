/** Hashes of tensors. */
import { hashNumber, hashText, mixHash } from '@baton/base';
import { readBigInt, readNumber } from './access.ts';
import { isBig } from './dtype.ts';
import { shapeSize } from './shape.ts';
import type { Tensor } from './tensor.ts';

const SAMPLES = 64;

/**
 * A hash of dtype, shape and up to 64 elements: equal for tensors that `tensorsEqual` accepts,
 * whatever their strides. Two large tensors may differ only between the samples, so compare too.
 *
 * **Complexity** O(rank), for any size.
 */
export function hashTensor(t: Tensor): number {
  let hash = mixHash(hashText(t.dtype), t.shape.length);
  for (const dim of t.shape) hash = mixHash(hash, dim);
  const size = shapeSize(t.shape);
  const samples = Math.min(size, SAMPLES);
  for (let n = 0; n < samples; n++) {
    const index = samples === size ? n : Math.floor((n * (size - 1)) / (SAMPLES - 1));
    hash = mixHash(hash, elementHash(t, index));
  }
  return hash;
}

function elementHash(t: Tensor, index: number): number {
  if (!isBig(t.dtype)) return hashNumber(readNumber(t, index));
  const value = readBigInt(t, index);
  const low = Number(BigInt.asIntN(32, value));
  return mixHash(low, Number(BigInt.asIntN(32, value >> 32n)));
}
