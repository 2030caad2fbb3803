/** Data outside the model file, read once for each range. */
import { invariant } from '@baton/base';
import { overlappingData } from '../diagnostics.ts';
import type { ExternalLocation, ImportOptions } from './options.ts';

type ReadRange = NonNullable<ImportOptions['externalData']>;

/** The number of bytes by which all ranges together may overlap, in files of any size. */
const FREE_BYTES = 64 * 2 ** 20;

/**
 * The reader of one import. Tensors on the same range share its bytes. Files are read at most twice
 * over, besides 64 MiB: ranges that overlap more would make a small model take any memory.
 */
export function readOnce(read: ReadRange): ReadRange {
  const known = new Map<string, ReturnType<ReadRange>>();
  const ends = new Map<string, number>();
  let extent = 0;
  let total = 0;
  return (place: ExternalLocation) => {
    const { location, offset, length } = place;
    const key = `${offset} ${length} ${location}`;
    if (known.has(key)) return known.get(key);
    invariant(length !== undefined, 'a range of a tensor has a length');
    const end = ends.get(location) ?? 0;
    const grown = Math.max(0, offset + length - end);
    if (total + length > 2 * (extent + grown) + FREE_BYTES) return overlappingData(location);
    const bytes = read(place);
    if (bytes instanceof Uint8Array) {
      ends.set(location, end + grown);
      extent += grown;
      total += length;
    }
    known.set(key, bytes);
    return bytes;
  };
}
