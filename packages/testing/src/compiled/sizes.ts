/** Shapes on both sides of the boundaries of compiled code: vectors, panels, pages. */
import { type Shape, shapeSize } from '@baton/tensor';
import type { Choices } from '../generate/random.ts';

/** One to four vectors of four elements, and complete panels, one less and one more. */
const INNER = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 31, 32, 33];

/** Sizes of a flat tensor: the last exceeds a page of memory. */
const FLAT = [64, 65, 97, 100, 127, 128, 129, 255, 257, 1023, 1025, 16_385];

/** From this many elements on, the compiled executor has code for a program. */
const LEAST = 64;

/** **Units** elements. Larger tensors take more time and find the same faults. */
export const MOST = 20_000;

export const dimension = (random: Choices): number => random.pick(INNER);

export function shapeFor(random: Choices): Shape {
  const rank = random.weighted<number>([
    [2, 1],
    [4, 2],
    [2, 3],
    [3, 4],
  ]);
  if (rank === 1) return [random.pick(FLAT)];
  for (;;) {
    const dims = Array.from({ length: rank }, () => dimension(random));
    if (rank > 2) dims[0] = random.pick([1, 1, 2, 3]);
    if (shapeSize(dims) >= LEAST && shapeSize(dims) <= MOST) return dims;
  }
}

/** The number of columns of a product; the last size exceeds one block. */
export const columns = (random: Choices): number => random.pick([...INNER, 64, 100, 300]);

/** The size of the axis that a product sums over; in some programs it exceeds one block. */
export const depth = (random: Choices): number => random.pick([...INNER, 64, 130, 800]);
