/** Limits the bytes of a model's inputs inside an archive. */
import { isDType } from '@baton/tensor';
import type { Type } from 'batonjs';

export interface Room {
  /** For the array of a name; `undefined` if there is no such input. */
  readonly of: (name: string) => number | undefined;
  readonly all: (archiveBytes: number) => number;
}

/** The default for inputs of open sizes, in addition to a multiple of the archive. */
const OPEN_BYTES = 64 * 2 ** 20;

/** The multiple: random data seldom compresses below 1/8. */
const OPEN_FACTOR = 8;

/** The allowance of each array besides its elements: its header, and a few surplus elements. */
const FREE = 2 ** 20;

/** The widest element, in bytes: arrays of another dtype are refused by name, not by size. */
const WIDEST = 8;

interface Param {
  readonly nameHint: string;
  readonly typeAnnotation: Type | undefined;
}

/**
 * The limits for the inputs of a model, of which those of open sizes may take `open` bytes in all;
 * by default it follows from the size of the archive.
 */
export function roomOf(params: ReadonlyArray<Param>, open: number | undefined): Room {
  const sizes = params.map(
    ({ nameHint, typeAnnotation }) => [nameHint, bytesOf(typeAnnotation)] as const,
  );
  const rooms = new Map(
    sizes.map(([name, bytes = Number.POSITIVE_INFINITY]) => [name, bytes + FREE]),
  );
  const known = sizes.reduce((sum, [, bytes]) => sum + (bytes ?? 0) + FREE, 0);
  const isOpen = sizes.some(([, bytes]) => bytes === undefined);
  const openIn = (archive: number): number => open ?? OPEN_BYTES + OPEN_FACTOR * archive;
  return {
    of: (name) => rooms.get(name),
    all: (archive) => known + (isOpen ? openIn(archive) : 0),
  };
}

function bytesOf(type: Type | undefined): number | undefined {
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) return undefined;
  if (typeof type.dtype !== 'string' || !isDType(type.dtype)) return undefined;
  let bytes = WIDEST;
  for (const size of type.shape) {
    if (typeof size !== 'number') return undefined;
    bytes *= size;
  }
  return bytes;
}
