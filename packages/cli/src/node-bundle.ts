/**
 * Loads the command's bundle with the code cache that V8 made in an earlier run. Compiling the
 * bundle again takes longer than reading a model of a hundred megabytes.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { Script } from 'node:vm';

/** **Units** ms. Cached code of other bundles is removed after this time. */
const MAX_AGE = 7 * 24 * 3600 * 1000;

/** Each command has its own cache, since it runs other functions of the bundle. */
const COMMAND = /^[a-z]{2,16}$/;

/**
 * Loads the bundle, whose first line identifies its content, and returns its exports. `command` is
 * the word after `baton`. The code that the process compiled is stored for the next one on exit. As
 * for Node itself, `NODE_COMPILE_CACHE` names the folder, and `NODE_DISABLE_COMPILE_CACHE` disables
 * the cache.
 */
export function loadBundle(path: string, command: string | undefined): unknown {
  const source = readFileSync(path, 'utf8');
  const id = source.slice(0, source.indexOf('\n')).replace(/^\W+/, '');
  const file = codeFile(id, path, command);
  const cachedData = file === undefined ? undefined : contentOf(file);
  const script = new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const isKnown = cachedData !== undefined && script.cachedDataRejected !== true;
  if (file !== undefined && !isKnown) process.once('exit', () => keepCode(script, file));
  const module = { exports: {} };
  const body = script.runInThisContext() as (...args: ReadonlyArray<unknown>) => void;
  body(module.exports, createRequire(path), module, path);
  return module.exports;
}

/** The cache file of a bundle, by its path, which the code contains, or `undefined`. */
function codeFile(id: string, path: string, command = ''): string | undefined {
  const { env, versions, arch } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE !== undefined || !COMMAND.test(command)) return undefined;
  const folder = env.NODE_COMPILE_CACHE ?? join(cacheFolder(), 'baton');
  const place = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(folder, `${command}-${id}-${place}-${versions.v8}-${arch}.code`);
}

function cacheFolder(): string {
  const { env, platform } = process;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Stores the code of a script. Without space or permission, nothing is stored. */
function keepCode(script: Script, file: string): void {
  const folder = dirname(file);
  const unnamed = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    removeOld(folder);
    // V8 trusts what it reads: a file is complete, or does not exist.
    writeFileSync(unnamed, script.createCachedData(), { mode: 0o600 });
    renameSync(unnamed, file);
  } catch {
    // The next process compiles again.
    if (existsSync(unnamed)) rmSync(unnamed, { force: true });
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.includes('.code') && Date.now() - statSync(file).mtimeMs > MAX_AGE) {
      rmSync(file, { force: true });
    }
  }
}
