/** The bytes that the inputs of a model may take in an archive. */
import { isDType } from '@baton/tensor';
import type { Type } from 'batonjs';

/** The most bytes that arrays may take, their headers included. */
export interface Room {
  /** Of the array of a name; `undefined` if there is no such input. */
  readonly of: (name: string) => number | undefined;
  /** Of all arrays together. */
  readonly all: number;
}

/** What each array may take beside its elements: its header, and elements that are too many by a few. */
const FREE = 2 ** 20;

/** The widest element, in bytes: an array of another dtype than the input's is refused by name, not by size. */
const WIDEST = 8;

interface Param {
  readonly nameHint: string;
  readonly typeAnnotation: Type | undefined;
}

/** The room of the inputs of a model, where inputs of open sizes take `open` bytes in all. */
export function roomOf(params: ReadonlyArray<Param>, open: number): Room {
  const sizes = params.map(
    ({ nameHint, typeAnnotation }) => [nameHint, bytesOf(typeAnnotation)] as const,
  );
  const rooms = new Map(sizes.map(([name, bytes]) => [name, (bytes ?? open) + FREE]));
  const known = sizes.reduce((sum, [, bytes]) => sum + (bytes ?? 0) + FREE, 0);
  const isOpen = sizes.some(([, bytes]) => bytes === undefined);
  return { of: (name) => rooms.get(name), all: known + (isOpen ? open : 0) };
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
