/**
 * The memory of a program with open sizes: constants, made once for all sizes, then one arena, which holds
 * what the sizes of the run need, and is as large as the largest of them.
 */
import { remember } from '@baton/base';
import { aligned } from '@baton/lower';
import type { TensorData } from '@baton/tensor';
import { type ConstantPart, MOST_MEMORY, pagesOf } from '../compile.ts';
import type { WasmMemory, WebAssemblyHost } from '../web-assembly.ts';

/** The memory. **Units** bytes. */
export interface SharedMemory {
  readonly memory: WasmMemory;
  /** Places for constants of the program; `undefined` if there is no room. */
  readonly addressesOf: (
    constants: ReadonlyArray<ConstantPart>,
  ) => ReadonlyMap<number | string, number> | undefined;
  /** The first byte of the arena. It moves when constants are added. */
  readonly start: () => number;
  /** Whether the arena can have this many bytes. */
  readonly hasRoom: (bytes: number) => boolean;
  /** Makes sure that it has them, which may give the memory another buffer. */
  readonly reserve: (bytes: number) => void;
  readonly constantBytes: () => number;
}

/** An empty memory. */
export function makeSharedMemory(host: WebAssemblyHost): SharedMemory {
  const memory = new host.Memory({ initial: 1 });
  const known = new Map<TensorData, Map<string, number>>();
  let end = 0;
  const hasRoom = (bytes: number): boolean => end + bytes <= MOST_MEMORY;
  const reserve = (bytes: number): void => {
    const missing = pagesOf(end + bytes) - pagesOf(memory.buffer.byteLength);
    if (missing > 0) memory.grow(missing);
  };
  return {
    memory,
    hasRoom,
    reserve,
    start: () => end,
    constantBytes: () => end,
    addressesOf: (constants) => {
      const isKnown = ({ storage, form }: ConstantPart) => known.get(storage)?.has(form) === true;
      const fresh = constants.filter((constant) => !isKnown(constant));
      const bytes = fresh.reduce((all, one) => all + aligned(one.bytes), 0);
      if (!hasRoom(bytes)) return undefined;
      reserve(bytes);
      for (const constant of fresh) {
        const forms = remember(known, constant.storage, () => new Map());
        // Two numbers of one plan may stand for the same bytes.
        if (forms.has(constant.form)) continue;
        forms.set(constant.form, end);
        constant.at(end).write(memory.buffer);
        end += aligned(constant.bytes);
      }
      return new Map(
        constants.map(({ key, storage, form }) => [key, known.get(storage)?.get(form) as number]),
      );
    },
  };
}
