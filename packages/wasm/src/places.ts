/**
 * The check that no kernel can reach outside of its buffers, or write over elements that it still reads.
 * Kernels only know the addresses of windows and the sizes of these; so each window must lie in its
 * buffer, and each buffer in its part of memory; and the places of what a kernel writes and of what it
 * reads must be apart, or the same elements in the same order.
 */
import { invariant } from '@baton/base';
import { dtypeInfo, type Tensor } from '@baton/tensor';
import { isAlike, type Kernel, readsOf, writesOf } from './plan/kernel.ts';
import type { Lowered } from './plan/lower.ts';
import { isRowMajor } from './plan/lowering.ts';
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
 * Throws unless every window of every kernel, parameter and result lies in its buffer, every buffer
 * in the arena, or among the constants, and what a kernel writes and reads apart, or in step.
 *
 * **Complexity** linear in the windows; for a kernel of several results, in their number times that of
 * the operands.
 */
export function checkPlaces(lowered: Lowered, places: Places): void {
  const { buffers, kernels, params, result } = lowered;
  for (const kernel of kernels) {
    for (const window of [...readsOf(kernel), ...writesOf(kernel)]) checkWindow(window, lowered);
    checkOverlaps(kernel, lowered, places);
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
  if (window.shape.includes(0)) return;
  const length = buffers[bufferOf(window)]?.whole.data.length ?? 0;
  const [first, last] = reachOf(window);
  invariant(first >= 0 && last < length, 'a window lies in its buffer');
}

/** The first and the last element of a window that is not empty. */
function reachOf({ shape, strides, offset }: Tensor): readonly [number, number] {
  let [first, last] = [offset, offset];
  for (const [axis, dim] of shape.entries()) {
    const reach = (dim - 1) * (strides[axis] ?? 0);
    if (reach < 0) first += reach;
    else last += reach;
  }
  return [first, last];
}

/**
 * A loop nest reads each element before it writes the one of the same index: what it reads may lie where
 * it writes if both are contiguous, of one shape, and begin at one address. Other kernels read an element
 * after they have written others.
 */
function checkOverlaps(
  kernel: Kernel,
  { buffers, bufferOf }: Lowered,
  { addressOf }: Places,
): void {
  const rangeOf = (window: Tensor) => {
    const { bytes } = dtypeInfo(window.dtype);
    const [first, last] = reachOf(window);
    const address = addressOf(bufferOf(window));
    return { window, begin: address + first * bytes, end: address + (last + 1) * bytes };
  };
  // Constants lie elsewhere, and nothing writes to them.
  const ranges = (windows: ReadonlyArray<Tensor>) =>
    windows
      .filter((one) => !one.shape.includes(0) && buffers[bufferOf(one)]?.isConstant === false)
      .map(rangeOf);
  const reads = ranges(readsOf(kernel));
  for (const written of ranges(writesOf(kernel))) {
    for (const read of reads) {
      if (read.end <= written.begin || written.end <= read.begin) continue;
      const isInStep = kernel._tag === 'Map' && read.begin === written.begin;
      const isSame = isAlike(read.window, written.window) && isInStep;
      const isDense = isRowMajor(read.window) && isRowMajor(written.window);
      invariant(isSame && isDense, 'a kernel overwrites what it reads only in step');
    }
  }
}
