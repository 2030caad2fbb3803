/** Weights of few bits, packed in bytes, with a scale and a zero point for each block of neighbours. */
import type { Memory, Tensor } from '@baton/tensor';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** How a weight is packed. */
export interface Packing {
  /** Bits of an element; the first of a byte are the lowest. */
  readonly bits: 2 | 4 | 8;
  /** Elements of a row, of which the last block may have fewer than a block. */
  readonly depth: number;
}

/** A packed weight, and what its elements are scaled by. */
export interface BlockWeight {
  readonly weight: Tensor;
  readonly scale: Tensor;
  readonly zero: Tensor;
}

/**
 * The numbers that a packed weight stands for: `(q - zero point) * scale`.
 *
 * **Shapes** weight (units, blocks, bytes of a block), scale (units, blocks), zero point as the scale or of
 * rank 0; result (units, depth).
 */
export function unpacked(
  { weight, scale, zero }: BlockWeight,
  { bits, depth }: Packing,
  memory: Memory,
): Tensor {
  const [units, blocks, bytes] = weight.shape as readonly [number, number, number];
  const packed = loadNumbers(weight, memory);
  const [scales, zeros] = [loadNumbers(scale, memory), loadNumbers(zero, memory)];
  const isOneZero = zero.shape.length === 0;
  const perByte = 8 / bits;
  const size = bytes * perByte;
  const values = numberBuffer(scale.dtype, units * depth, memory);
  let at = 0;
  for (let row = 0; row < units * blocks; row++) {
    const [factor, point] = [scales[row] as number, zeros[isOneZero ? 0 : row] as number];
    const count = Math.min(size, depth - (row % blocks) * size);
    for (let i = 0; i < count; i++) {
      const byte = packed[row * bytes + Math.floor(i / perByte)] as number;
      const q = (byte >> (bits * (i % perByte))) & (2 ** bits - 1);
      values[at++] = (q - point) * factor;
    }
  }
  return finish(values, [units, depth], scale.dtype, memory);
}
