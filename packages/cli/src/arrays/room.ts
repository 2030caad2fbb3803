/** The bytes that the inputs of a model may take in an archive. */
import { isDType } from '@baton/tensor';
import type { Type } from 'batonjs';

/** The most bytes that the arrays of an archive may take, their headers included. */
export interface Room {
  /** Of the array of a name; `undefined` if there is no such input. */
  readonly of: (name: string) => number | undefined;
  /** Of all arrays together, in an archive of so many bytes. */
  readonly all: (archiveBytes: number) => number;
}

/** What inputs of open sizes may take by default, beside a multiple of the archive. */
const OPEN_BYTES = 64 * 2 ** 20;

/** The multiple: numbers that are not all alike seldom pack as small. */
const OPEN_FACTOR = 8;

/** What each array may take beside its elements: its header, and elements that are too many by a few. */
const FREE = 2 ** 20;

/** The widest element, in bytes: an array of another dtype than the input's is refused by name, not by size. */
const WIDEST = 8;

interface Param {
  readonly nameHint: string;
  readonly typeAnnotation: Type | undefined;
}

/**
 * The room of the inputs of a model, where inputs of open sizes take `open` bytes in all; by default
 * what follows from the size of the archive.
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

/** The bytes of a tensor of known sizes. */
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
