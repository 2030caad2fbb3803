/**
 * The check that no kernel can reach outside of its buffers. Kernels only know the addresses of windows
 * and the sizes of these; so each window must lie in its buffer, and each buffer in its part of memory.
 */
import { invariant } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import { readsOf, writesOf } from './plan/kernel.ts';
import type { Lowered } from './plan/lower.ts';
import { leavesIn } from './plan/region.ts';

/** The memory of a region. **Units** bytes. */
export interface Places {
  /** The end of the constants, where the arena begins. */
  readonly start: number;
  /** The end of the arena. */
  readonly end: number;
  readonly addressOf: (buffer: number) => number;
  /** Where the constants lie that kernels read as they are. */
  readonly constants: ReadonlyMap<number, number>;
}

/**
 * Throws unless every window of every kernel, parameter and result lies in its buffer, and every buffer
 * in the arena, or among the constants.
 *
 * **Complexity** linear in the windows.
 */
export function checkPlaces(lowered: Lowered, places: Places): void {
  const { buffers, kernels, params, result } = lowered;
  for (const window of kernels.flatMap((kernel) => [...readsOf(kernel), ...writesOf(kernel)])) {
    checkWindow(window, lowered);
  }
  for (const window of [...params.flatMap(leavesIn), ...leavesIn(result)]) {
    checkWindow(window, lowered);
  }
  const { start, end, constants, addressOf } = places;
  for (const [buffer, { bytes, isConstant, within }] of buffers.entries()) {
    const whole = within && buffers[within.buffer];
    const isPart = !within || (within.offset >= 0 && within.offset + bytes <= (whole?.bytes ?? 0));
    invariant(isPart, 'a part lies in its whole');
    const constant = constants.get(buffer);
    if (isConstant && constant === undefined) continue;
    const address = addressOf(buffer);
    const [first, last] = isConstant ? [0, start] : [start, end];
    invariant(address >= first && address + bytes <= last, 'a buffer lies in its part of memory');
  }
}

function checkWindow(window: Tensor, { buffers, bufferOf }: Lowered): void {
  const { shape, strides, offset } = window;
  if (shape.includes(0)) return;
  const length = buffers[bufferOf(window)]?.whole.data.length ?? 0;
  let [first, last] = [offset, offset];
  for (const [axis, dim] of shape.entries()) {
    const reach = (dim - 1) * (strides[axis] ?? 0);
    if (reach < 0) first += reach;
    else last += reach;
  }
  invariant(first >= 0 && last < length, 'a window lies in its buffer');
}
