/** Reads complete files in Node, each in one request that runs while the program works. */
import { closeSync, openSync, read, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const request = promisify(read);

/** A request reads at most the bytes that a signed 32-bit integer can count. */
export const MAX_REQUEST = 2 ** 31 - 1;

/** The bytes of a file. Rejects like `readFile`. The request is made before this returns. */
export async function readWhole(path: string): Promise<Uint8Array> {
  return plainBytes(await wholeFile(path));
}

/** The bytes as an array whose `slice` copies: the slice of a `Buffer` is a view. */
export const plainBytes = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length);

async function wholeFile(path: string): Promise<Buffer> {
  const size = sizeOf(path);
  if (size === undefined || size > MAX_REQUEST) return await readFile(path);
  const bytes = Buffer.allocUnsafeSlow(size);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead } = await request(file, bytes, at, size - at, at);
      if (bytesRead === 0) return bytes.subarray(0, at);
      at += bytesRead;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** The size of a regular file; `undefined` for pipes and devices. */
function sizeOf(path: string): number | undefined {
  const state = statSync(path, { throwIfNoEntry: false });
  return state?.isFile() && state.size > 0 ? state.size : undefined;
}

/** A file that is read while the program loads. */
export interface Ahead {
  readonly path: string;
  /** Returns the bytes once; `undefined` afterwards, or if they cannot be read. */
  readonly take: () => Promise<Uint8Array | undefined>;
}

/** Begins to read the file that an argument names, if there is one. */
export function readAhead(path: string | undefined): Ahead | undefined {
  if (path === undefined || sizeOf(path) === undefined) return undefined;
  const none = Promise.resolve(undefined);
  let bytes: Promise<Uint8Array | undefined> = readWhole(path).catch(() => undefined);
  const take = (): Promise<Uint8Array | undefined> => {
    const taken = bytes;
    bytes = none;
    return taken;
  };
  return { path, take };
}
