/**
 * Functions whose types leave sizes open. Code is made for the sizes of the arguments when a call brings
 * them, and kept for those that were used last.
 */
import type { HostRoutine, Value } from '@baton/executor';
import type { Sized } from '@baton/lower';

/** The sizes of arguments: of a tensor, or of the tensors of a tuple. */
export type ArgumentSizes = ReadonlyArray<Sized | ReadonlyArray<Sized>>;

/** What sizes are made into. */
export interface Specialized {
  readonly routine: HostRoutine;
  /** What it takes as long as it is kept. */
  readonly bytes: number;
}

/** How much is kept. */
export interface SpecializationBounds {
  /** The most tuples of sizes. */
  readonly entries: number;
  /** The most bytes of them together; the last one is kept in any case. */
  readonly bytes: number;
}

/** Makes the code for sizes; `undefined` if the interpreter computes the function at these. */
export type Specialize = (sizes: ArgumentSizes) => Specialized | undefined;

/** The routine of a function with open sizes. */
export function specializing(
  specialize: Specialize,
  { entries, bytes }: SpecializationBounds,
): HostRoutine {
  // In the order of their last use.
  const kept = new Map<string, Specialized | undefined>();
  let keptBytes = 0;
  const forget = (key: string): void => {
    const specialized = kept.get(key);
    kept.delete(key);
    keptBytes -= specialized?.bytes ?? 0;
    specialized?.routine.dispose?.();
  };
  const found = (args: ReadonlyArray<Value>): Specialized | undefined => {
    const sizes = sizesOf(args);
    const key = keyOf(sizes);
    const isKept = kept.has(key);
    const specialized = isKept ? kept.get(key) : specialize(sizes);
    kept.delete(key);
    kept.set(key, specialized);
    if (isKept) return specialized;
    keptBytes += specialized?.bytes ?? 0;
    while (kept.size > 1 && (kept.size > entries || keptBytes > bytes)) {
      forget(kept.keys().next().value as string);
    }
    return specialized;
  };
  const callAtSizes: HostRoutine['callAtSizes'] = (args, meter, depth) =>
    found(args)?.routine.call(args, meter, depth);
  return {
    call: (args, meter, depth) => callAtSizes(args, meter, depth) as Value,
    callAtSizes,
    dispose: () => {
      for (const key of [...kept.keys()]) forget(key);
    },
  };
}

const sizesOf = (args: ReadonlyArray<Value>): ArgumentSizes =>
  args.map((arg) => (arg._tag === 'Tuple' ? arg.fields.map(sizedOf) : sizedOf(arg)));

/** Arguments fit types of tensors. */
function sizedOf(value: Value): Sized {
  const { dtype, shape } = value as Value & Sized;
  return { dtype, shape };
}

const keyOf = (sizes: ArgumentSizes): string =>
  sizes.map((arg) => ('dtype' in arg ? textOf(arg) : `(${arg.map(textOf).join()})`)).join();

const textOf = ({ dtype, shape }: Sized): string => `${dtype}[${shape.join()}]`;
