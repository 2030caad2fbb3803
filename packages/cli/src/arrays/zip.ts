/**
 * Reads zip archives: finds each file by the directory and unpacks it separately. Sizes that the
 * archive states are trusted only as bounds.
 *
 * **Source** PKWARE, .ZIP File Format Specification, 6.3.10, without encryption, parts, and ZIP64.
 */
import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  /** The bytes, at most `size`, or why there are none. Nothing is cached. */
  readonly unpack: () => Uint8Array | string;
}

/** The longest comment of an archive, which follows its last record. */
const MAX_COMMENT = 65_535;

const END_SIZE = 22;
const END = 0x06054b50;
const RECORD_SIZE = 46;
const RECORD = 0x02014b50;
const LOCAL_SIZE = 30;
const LOCAL = 0x04034b50;

/** Marks sizes that are in a ZIP64 record. */
const ELSEWHERE = 0xffffffff;

const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** The files of an archive in the order of its directory, or an error message. */
export function zipEntries(bytes: Uint8Array): ReadonlyArray<ZipEntry> | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) return 'it has no directory';
  const count = view.getUint16(end + 10, true);
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (at + RECORD_SIZE > end || view.getUint32(at, true) !== RECORD) {
      return 'its directory is damaged';
    }
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(
      bytes.subarray(at + RECORD_SIZE, at + RECORD_SIZE + length),
    );
    entries.push(entryAt(view, at, name));
    at += RECORD_SIZE + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endOf(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= first; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return undefined;
}

function entryAt(view: DataView, at: number, name: string): ZipEntry {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const packedSize = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const local = view.getUint32(at + 42, true);
  const unpack = (): Uint8Array | string => {
    if ((flags & ENCRYPTED) !== 0) return 'it is encrypted';
    if (packedSize === ELSEWHERE || size === ELSEWHERE || local === ELSEWHERE) {
      return 'it has 4 GiB or more';
    }
    const isThere = local + LOCAL_SIZE <= view.byteLength && view.getUint32(local, true) === LOCAL;
    if (!isThere) return 'the directory does not state its offset';
    const names = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const start = local + LOCAL_SIZE + names;
    if (start + packedSize > view.byteLength) return 'it ends early';
    const packed = new Uint8Array(view.buffer, view.byteOffset + start, packedSize);
    if (method === STORED) return packed.subarray(0, size);
    return method === DEFLATED ? inflated(packed, size) : `it is packed by method ${method}`;
  };
  return { name, size, unpack };
}

function inflated(packed: Uint8Array, size: number): Uint8Array | string {
  try {
    const bytes = inflateRawSync(packed, {
      // One more, to detect a file that is larger than it states.
      maxOutputLength: size + 1,
      // All in one piece: joining pieces would need twice the memory.
      chunkSize: Math.max(64, size + 1),
    });
    return bytes.length > size ? `it has more than the ${size} bytes that it states` : bytes;
  } catch (error) {
    const isMore =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isMore ? `it has more than the ${size} bytes that it states` : 'it is damaged';
  }
}
