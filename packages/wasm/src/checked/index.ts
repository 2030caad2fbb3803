/**
 * The checked build of compiled code, for tests: each load and store must lie in a buffer that the running
 * kernel reads or writes, and move elements of its type. Memory that nothing has written holds NaN, which
 * is visible in results.
 */

import { InvariantError } from '@baton/base';
import { type Kernel, readsOf, rootsOf, runOrder, type Window, writesOf } from '@baton/lower';
import { type DType, dtypeInfo } from '@baton/tensor';
import type { CodeChecks, Compiled } from '../compile.ts';
import type { Access } from '../emit/accesses.ts';
import { CHECKS, instrumented, type Watch } from './instrument.ts';

export { type KernelTime, type KernelTimes, timedKernels } from './timed.ts';

/**
 * Checks for `makeWasm({ checks: checked })`. A fault throws an `InvariantError` that names the kernel.
 * Small programs take about twice the time.
 */
export const checked: CodeChecks = (compiled, code) => {
  const { code: bytes, accesses } = instrumented(code, { accesses: true });
  return {
    code: bytes,
    imports: (memory) => ({ [CHECKS]: { ...watch(compiled, accesses, memory) } }),
  };
};

/** NaN as a float, −1 as an integer, and no valid boolean. */
const POISON = 0xff;

/** Bytes that a kernel may reach. **Units** bytes. */
interface Range {
  readonly begin: number;
  readonly end: number;
  /** The size of an element; `undefined` if elements are copied as bytes. */
  readonly width: number | undefined;
  readonly isFloat: boolean;
  /** Whether it has doubles, as all numbers of the kernel. */
  readonly isOfDoubles: boolean;
  readonly isMask: boolean;
  readonly isRead: boolean;
  readonly isWritten: boolean;
}

/** The memory that a kernel may access. */
interface Reach {
  readonly name: string;
  readonly ranges: ReadonlyArray<Range>;
  /** Bytes that are not written before the kernel runs. */
  readonly fresh: ReadonlyArray<readonly [begin: number, end: number]>;
}

function watch(compiled: Compiled, accesses: ReadonlyArray<Access>, memory: ArrayBuffer): Watch {
  const all = new Uint8Array(memory).fill(POISON);
  const kernels = reachesOf(compiled);
  let next = 0;
  let now = kernels[0] as Reach;
  const require = (isRight: boolean, what: string, address: number): void => {
    if (!isRight) throw new InvariantError(`${now.name} ${what}, at address ${address}`);
  };
  return {
    leave: () => {},
    enter: () => {
      now = kernels[next] as Reach;
      next = (next + 1) % kernels.length;
      for (const [begin, end] of now.fresh) all.fill(POISON, begin, end);
    },
    access: (given, offset, index) => {
      const access = accesses[index] as Access;
      const address = (given >>> 0) + offset;
      const isStore = access.isStore;
      const inside = now.ranges.filter(
        ({ begin, end, isRead, isWritten }) =>
          begin <= address && address + access.bytes <= end && (isStore ? isWritten : isRead),
      );
      const verb = isStore ? 'stores' : 'loads';
      require(inside.length > 0, `${verb} ${access.bytes} bytes outside of its buffers`, address);
      const isOfType = inside.some((range) => fits(access, range));
      require(isOfType, `${verb} elements of ${access.unit} bytes in a buffer of others`, address);
    },
    fill: (given, bytes) => {
      const address = given >>> 0;
      const isInside = now.ranges.some(
        ({ begin, end, isWritten }) => isWritten && begin <= address && address + bytes <= end,
      );
      require(isInside || bytes === 0, `fills ${bytes} bytes outside of its buffers`, address);
    },
  };
}

/**
 * Whether an instruction accesses elements of a range's type. It may access four booleans at once, or
 * several times four integers of fewer than 32 bits; a vector, or a lane of one, has doubles in a kernel
 * of doubles only.
 */
function fits({ bytes, unit, isFloat }: Access, { width, isMask, ...range }: Range): boolean {
  if (width === undefined) return true;
  if (isMask && bytes === 4 && !isFloat) return true;
  if (!isMask && width < unit && !isFloat && bytes % (4 * width) === 0) return true;
  if (range.isOfDoubles && !isFloat && bytes % width === 0) return true;
  return unit === width && (!isFloat || range.isFloat);
}

/** The memory that each compiled kernel may access, in the order of the calls. */
function reachesOf(compiled: Compiled): ReadonlyArray<Reach> {
  const { lowered, addressOf, placed } = compiled;
  const { kernels, buffers } = lowered;
  const roots = rootsOf(buffers);
  const rootOf = ({ buffer }: Window): number => roots[buffer]?.buffer as number;
  const written = new Set<number>();
  const constants = placed.map(({ address, bytes, dtype }) =>
    rangeOf(address, bytes, { dtype, isRead: true, isWritten: false, isMoved: false }),
  );
  const bufferRange = (window: Window, use: Omit<Use, 'dtype'>) => {
    const { buffer } = window;
    const bytes = buffers[buffer]?.bytes ?? 0;
    return rangeOf(addressOf(buffer), bytes, { dtype: window.dtype, ...use });
  };
  const reaches = kernels.map((kernel, number): Reach | undefined => {
    const writes = writesOf(kernel);
    const first = writes.filter((window) => !written.has(rootOf(window)));
    for (const window of writes) written.add(rootOf(window));
    if (kernel._tag === 'Reference') return undefined;
    const reads = readsOf(kernel).filter(({ buffer }) => buffers[buffer]?.constant === undefined);
    const areDoubles = [...readsOf(kernel), ...writes].every(
      (window) => isMoved(kernel, window) || ['float64', 'bool'].includes(window.dtype),
    );
    const ranges = [
      ...reads.map((window) =>
        bufferRange(window, { isRead: true, isWritten: false, isMoved: isMoved(kernel, window) }),
      ),
      ...writes.map((window) =>
        bufferRange(window, {
          isRead: kernel._tag === 'Product' || kernel._tag === 'Scatter',
          isWritten: true,
          isMoved: isMoved(kernel, window),
        }),
      ),
      ...constants,
    ].map((range) => ({ ...range, isOfDoubles: areDoubles && range.width === DOUBLE_BYTES }));
    const read = reads.map((window) => bufferRange(window, READ));
    const fresh = first.flatMap((window) => {
      const buffer = rootOf(window);
      const begin = addressOf(buffer);
      const end = begin + (buffers[buffer]?.bytes ?? 0);
      // A result that overwrites an operand is written element by element.
      const isInPlace = read.some((range) => range.begin < end && begin < range.end);
      return isInPlace ? [] : [[begin, end] as const];
    });
    return { name: `kernel ${number} (${kernel._tag})`, ranges, fresh };
  });
  return runOrder(lowered).flatMap(([at, turn]): ReadonlyArray<Reach> => {
    const reach = reaches[at];
    if (reach === undefined) return [];
    return [turn === 0 ? reach : { ...reach, fresh: [] }];
  });
}

/** **Units** bytes. */
const DOUBLE_BYTES = 8;

/** The use of a buffer by a kernel. */
interface Use {
  readonly dtype: DType;
  readonly isRead: boolean;
  readonly isWritten: boolean;
  /** Whether elements are copied as bytes. */
  readonly isMoved: boolean;
}

const READ = { isRead: true, isWritten: false, isMoved: false };

const rangeOf = (address: number, bytes: number, use: Use): Omit<Range, 'isOfDoubles'> => ({
  begin: address,
  end: address + bytes,
  width: use.isMoved ? undefined : dtypeInfo(use.dtype).bytes,
  isFloat: use.dtype === 'float32' || use.dtype === 'float64',
  isMask: use.dtype === 'bool',
  isRead: use.isRead,
  isWritten: use.isWritten,
});

/** Whether a kernel copies the elements of a window as bytes: rows that a gather copies, and scratch. */
const isMoved = (kernel: Kernel, window: Window): boolean =>
  kernel._tag === 'Take'
    ? window !== kernel.indices
    : kernel._tag === 'Product' && window === kernel.scratch;
