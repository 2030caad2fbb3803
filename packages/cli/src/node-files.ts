/** Files in Node: reads parts of files, and writes new ones atomically. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import process from 'node:process';
import { type Diagnostic, fail, isLeft, ok, type Result } from '@baton/base';
import type { ExternalLocation } from '@baton/onnx';
import { misuse, unreadable, unwritable } from './diagnostics.ts';
import { EXIT } from './exit-codes.ts';
import type { NewFile } from './host.ts';
import { MAX_REQUEST } from './node-reading.ts';

export type ImportModule = (href: string) => Promise<unknown>;

/** Part of a regular file below the folder of the model; links out of it and pipes are refused. */
export function readBeside(
  folder: string,
  place: ExternalLocation,
): Uint8Array | Diagnostic | undefined {
  const refused = (reason: string): Diagnostic => unreadable(place.location, reason);
  try {
    const root = realpathSync(folder);
    const path = resolve(root, place.location);
    if (!isBelow(path, root)) return undefined;
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const file = realpathSync(path);
    if (!isBelow(file, root)) return refused('a link leads out of the folder of the model');
    const state = statSync(file);
    if (!state.isFile()) return refused('it is no regular file');
    const length = place.length ?? state.size - place.offset;
    if (length < 0 || place.offset + length > state.size) return undefined;
    return readRange(file, place.offset, length) ?? refused('it ends while it is read');
  } catch (error) {
    return refused(reasonOf(error));
  }
}

const isBelow = (file: string, root: string): boolean =>
  file.startsWith(root.endsWith(sep) ? root : root + sep);

function readRange(path: string, offset: number, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < length; ) {
      const count = readSync(file, bytes, at, Math.min(length - at, MAX_REQUEST), offset + at);
      if (count === 0) return undefined;
      at += count;
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}

const SIGNALS = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
} as const;

/** Does some work; a signal meanwhile cleans up and ends the process. */
async function cleanedUp<A>(clean: () => void, work: () => Promise<A>): Promise<A> {
  const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
    const handler = (): void => {
      clean();
      process.exit(code);
    };
    process.once(signal, handler);
    return [signal, handler] as const;
  });
  try {
    return await work();
  } finally {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  }
}

/** A file to write: the one that it replaces, its temporary name, and its mode. */
interface Target {
  readonly path: string;
  readonly to: string;
  readonly from: string;
  /** `undefined` for a file that does not exist yet. */
  readonly mode: number | undefined;
}

/**
 * Writes files under temporary names in their folders, and renames them once all are written. A
 * replaced file keeps its mode; a link leads to the new file. A signal meanwhile leaves no files.
 */
export async function writeFiles(files: ReadonlyArray<NewFile>): Promise<Result<void>> {
  const targets: Array<Target | undefined> = [];
  try {
    for (const { path } of files) targets.push(path === '-' ? undefined : await targetOf(path));
  } catch (error) {
    return fail(unwritable(files.map(({ path }) => path).join(', '), reasonOf(error)));
  }
  const places = targets.map((target, i) => target?.to ?? (files[i]?.path === '-' ? '-' : i));
  const twice = places.findIndex((place, i) => places.indexOf(place) !== i);
  if (twice >= 0)
    return misuse(`two results go to ${files[twice]?.path}`, 'give each its own file');
  const forget = (): void => {
    for (const target of targets) if (target !== undefined) rmSync(target.from, { force: true });
  };
  return await cleanedUp(forget, async () => {
    try {
      for (const [i, { path, pieces }] of files.entries()) {
        const done = path === '-' ? await toOutput(pieces) : await toFile(path, targets[i], pieces);
        if (isLeft(done)) {
          forget();
          return done;
        }
      }
      for (const target of targets) if (target) await rename(target.from, target.to);
      return ok(undefined);
    } catch (error) {
      forget();
      return fail(unwritable(files.map(({ path }) => path).join(', '), reasonOf(error)));
    }
  });
}

/** The target of a path; `undefined` for a device or a pipe, which cannot be replaced. */
async function targetOf(path: string): Promise<Target | undefined> {
  const file = await realpath(path).catch(() => undefined);
  const state = file === undefined ? undefined : await lstat(file);
  if (state !== undefined && !state.isFile()) return undefined;
  const to = file ?? join(await realpath(dirname(path)), basename(path));
  // A separate name: the file's own may already have the maximum length.
  const from = join(dirname(to), `.baton-${randomBytes(6).toString('hex')}`);
  return { path, to, from, mode: state && state.mode & 0o7777 };
}

async function toFile(
  path: string,
  target: Target | undefined,
  pieces: NewFile['pieces'],
): Promise<Result<void>> {
  let file: FileHandle | undefined;
  try {
    file = await (target === undefined ? open(path, 'w') : open(target.from, 'wx', target.mode));
    // The process may mask bits of the mode.
    if (target?.mode !== undefined) await file.chmod(target.mode);
    for (const piece of pieces) await writeWhole(file, piece);
    return ok(undefined);
  } catch (error) {
    return fail(unwritable(path, reasonOf(error)));
  } finally {
    await file?.close();
  }
}

/** Writes a piece in as few requests as possible: `writeFile` makes one for each half megabyte. */
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

const REASONS: Readonly<Partial<Record<string, string>>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left for this user',
  EROFS: 'the file system is read-only',
  ELOOP: 'links lead round in a circle',
  ENAMETOOLONG: 'the name is too long',
  ERR_INVALID_ARG_VALUE: 'the name has a character that names may not have',
  ENOTDIR: 'a part of the path is no folder',
  EFBIG: 'the file system refuses files of this size',
  ERR_FS_FILE_TOO_LARGE: 'it has more than 2 GiB',
};

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
