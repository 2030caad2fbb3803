/**
 * The check that no kernel accesses memory outside its buffers, or overwrites elements before it reads
 * them. Each window must lie in its buffer, and each buffer in its part of memory. If the addresses that
 * a kernel writes overlap those that it reads, both windows must view the same elements in the same order.
 */

import { invariant } from '@baton/base';
import {
  type Buffer,
  isAlike,
  isRowMajor,
  type Lowered,
  readsOf,
  type Window,
  windowsIn,
  writesOf,
} from '@baton/lower';
import { dtypeInfo } from '@baton/tensor';

/** The memory of a region. **Units** bytes. */
export interface Places {
  /** The end of the constants, where the arena begins. */
  readonly start: number;
  /** The end of the arena. */
  readonly end: number;
  readonly addressOf: (buffer: number) => number;
  /** Where the constants lie that kernels read as they are. */
  readonly constants: ReadonlyMap<number | string, number>;
}

/**
 * Throws unless every window of every kernel, parameter and result lies in its buffer, every buffer in
 * the arena or among the constants, and no kernel overwrites elements that it has yet to read.
 *
 * **Complexity** linear in the windows; for a kernel with several results, results times operands.
 */
export function checkPlaces(lowered: Lowered, places: Places): void {
  const { buffers, kernels, loops, params, result } = lowered;
  for (const [at, kernel] of kernels.entries()) {
    const { turns } = loops.find(({ from, to }) => from <= at && at < to) ?? { turns: 1 };
    const reads = rangesOf(readsOf(kernel), lowered, places, turns);
    for (const written of rangesOf(writesOf(kernel), lowered, places, turns)) {
      for (const read of reads) {
        if (read.end <= written.begin || written.end <= read.begin) continue;
        // Only a loop nest reads each element before it writes the element of the same index.
        const isInStep = kernel._tag === 'Map' && read.begin === written.begin;
        const isMoving = read.window.perTurn !== written.window.perTurn;
        const isDense = isRowMajor(read.window) && isRowMajor(written.window) && !isMoving;
        const isSafe = isInStep && isDense && isAlike(read.window, written.window);
        invariant(isSafe, 'kernels overwrite in step');
      }
    }
  }
  rangesOf([...params.flatMap(windowsIn), ...windowsIn(result)], lowered, places);
  const { start, end, constants, addressOf } = places;
  for (const [buffer, { bytes, constant: elements, within }] of buffers.entries()) {
    const isConstant = elements !== undefined;
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

/** The bytes of windows that are not constant. Throws unless each window lies in its buffer. */
const rangesOf = (
  windows: ReadonlyArray<Window>,
  { buffers }: Lowered,
  { addressOf }: Places,
  turns = 1,
) =>
  windows.flatMap((window) => {
    const { buffer, shape, strides, offset, dtype, perTurn = 0 } = window;
    const { count, constant } = buffers[buffer] as Buffer;
    if (shape.includes(0)) return [];
    let [first, last] = [offset, offset];
    const reaches = shape.map((dim, axis) => (dim - 1) * (strides[axis] ?? 0));
    for (const reach of [...reaches, (turns - 1) * perTurn]) {
      if (reach < 0) first += reach;
      else last += reach;
    }
    invariant(first >= 0 && last < count, 'a window lies inside');
    if (constant !== undefined) return [];
    const { bytes } = dtypeInfo(dtype);
    const address = addressOf(buffer);
    return [{ window, begin: address + first * bytes, end: address + (last + 1) * bytes }];
  });
