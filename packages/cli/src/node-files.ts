/** Files in Node: parts of them, and new ones that are complete or as they were before. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import process from 'node:process';
import { fail, isLeft, ok, type Result } from '@baton/base';
import type { ExternalLocation } from '@baton/onnx';
import { unwritable } from './diagnostics.ts';
import { EXIT } from './exit-codes.ts';
import type { NewFile } from './host.ts';

/** Part of a file below the folder of the model; no path in a model leads outside. */
export function readBeside(folder: string, place: ExternalLocation): Uint8Array | undefined {
  const root = resolve(folder);
  const file = resolve(root, place.location);
  if (!file.startsWith(root + sep)) return undefined;
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined || place.offset > size) return undefined;
  const length = place.length ?? size - place.offset;
  if (place.offset + length > size) return undefined;
  const bytes = new Uint8Array(length);
  const opened = openSync(file, 'r');
  try {
    for (let at = 0; at < length; ) {
      const count = readSync(opened, bytes, at, length - at, place.offset + at);
      if (count === 0) return undefined;
      at += count;
    }
  } finally {
    closeSync(opened);
  }
  return bytes;
}

/**
 * Writes files under temporary names beside them, and gives them their names when all are written.
 * Ctrl-C meanwhile leaves nothing behind.
 */
export async function writeFiles(files: ReadonlyArray<NewFile>): Promise<Result<void>> {
  const written: { readonly from: string; readonly to: string }[] = [];
  const forget = (): void => {
    for (const { from } of written) rmSync(from, { force: true });
  };
  const interrupted = (): void => {
    forget();
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', interrupted);
  try {
    for (const { path, pieces } of files) {
      const to = path === '-' ? undefined : await replaceable(path);
      const from = to && join(dirname(to), `.${basename(to)}.${randomBytes(6).toString('hex')}`);
      if (to !== undefined && from !== undefined) written.push({ from, to });
      const done = path === '-' ? await toOutput(pieces) : await toFile(path, from, pieces);
      if (isLeft(done)) {
        forget();
        return done;
      }
    }
    for (const { from, to } of written) await rename(from, to);
    return ok(undefined);
  } catch (error) {
    forget();
    return fail(unwritable(files.map(({ path }) => path).join(', '), reasonOf(error)));
  } finally {
    process.off('SIGINT', interrupted);
  }
}

/** The file that is to be replaced; `undefined` for a device or a pipe, which cannot be. */
async function replaceable(path: string): Promise<string | undefined> {
  try {
    const target = await realpath(path);
    return (await lstat(target)).isFile() ? target : undefined;
  } catch {
    return path;
  }
}

async function toFile(
  path: string,
  from: string | undefined,
  pieces: NewFile['pieces'],
): Promise<Result<void>> {
  let file: FileHandle | undefined;
  try {
    file = await (from === undefined ? open(path, 'w') : open(from, 'wx'));
    for (const piece of pieces) await writeWhole(file, piece);
    return ok(undefined);
  } catch (error) {
    return fail(unwritable(path, reasonOf(error)));
  } finally {
    await file?.close();
  }
}

/** A piece in as few requests as the system allows: `writeFile` makes one for each half megabyte. */
async function writeWhole(file: FileHandle, piece: Uint8Array | string): Promise<void> {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
  }
}

async function toOutput(pieces: NewFile['pieces']): Promise<Result<void>> {
  for (const piece of pieces) {
    const isTaken = process.stdout.write(piece);
    if (!isTaken) await new Promise<void>((go) => void process.stdout.once('drain', go));
  }
  return ok(undefined);
}

/** The meanings of the system's codes. */
const REASONS: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left for this user',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is no folder',
  EFBIG: 'the file system refuses files of this size',
  ERR_FS_FILE_TOO_LARGE: 'it has more than 2 GiB',
};

/** The reason of a failure of the system, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
