/** The host of the command in Node. */
import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fail, isLeft, ok, type Result } from '@baton/base';
import type { PageAssets } from '@baton/report';
import { unreadable } from './diagnostics.ts';
import type { Host } from './host.ts';
import { type ImportModule, readBeside, reasonOf, writeFiles } from './node-files.ts';
import { loadOnnxruntime } from './node-onnxruntime.ts';
import { servePlayground } from './node-playground.ts';
import { loadProofs } from './node-proofs.ts';
import { type Ahead, plainBytes, readWhole } from './node-reading.ts';
import { loadTesting } from './node-testing.ts';
import { makeProgress } from './progress.ts';
import { inProcesses } from './timing/processes.ts';

// The built files and the bundle are one level below the package.
const BENCH_WORKER = fileURLToPath(new URL('../bin/bench-worker.js', import.meta.url));
const PAGE = fileURLToPath(new URL('../dist/page.json', import.meta.url));

/** In the bundle, which runs as a script, this is an experimental feature of Node that warns. */
const importModule: ImportModule = (href) => import(href);

export function nodeHost(ahead?: Ahead, imports: ImportModule = importModule): Host {
  return {
    read: async (path) => {
      const bytes = path === ahead?.path ? await ahead.take() : undefined;
      return bytes === undefined ? await read(path) : ok(bytes);
    },
    list,
    beside: (path) => (place) => readBeside(dirname(path), place),
    write: writeFiles,
    load: (path) => load(path, imports),
    config: () => config(imports),
    pageAssets,
    onnxruntime: loadOnnxruntime,
    testing: () => loadTesting(imports),
    playground: servePlayground,
    proofs: () => loadProofs(imports),
    timing: (argv) => inProcesses(BENCH_WORKER, argv),
    print: (line) => void process.stdout.write(`${line}\n`),
    tell: (line) => void process.stderr.write(`${line}\n`),
    progress: makeProgress('nothing'),
    now: () => performance.now(),
    machine: `Node ${process.versions.node}, ${cpus()[0]?.model.trim() ?? process.arch}`,
  };
}

async function list(folder: string): Promise<Result<ReadonlyArray<string>>> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return ok(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  } catch (error) {
    return fail(unreadable(folder, reasonOf(error)));
  }
}

const TOO_LARGE = 'ERR_FS_FILE_TOO_LARGE';
const LARGE_HINT = 'a model of more than 2 GiB has its weights in separate files';

async function read(path: string): Promise<Result<Uint8Array>> {
  try {
    return ok(path === '-' ? await standardInput() : await readWhole(path));
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === TOO_LARGE;
    return fail(unreadable(path, reasonOf(error), isTooLarge ? LARGE_HINT : undefined));
  }
}

async function standardInput(): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return plainBytes(Buffer.concat(pieces));
}

type Exported = Readonly<Record<string, unknown>>;

async function load(path: string, imports: ImportModule): Promise<Result<Exported>> {
  try {
    return ok((await imports(pathToFileURL(resolve(path)).href)) as Exported);
  } catch (error) {
    return fail(unreadable(path, reasonOf(error)));
  }
}

const CONFIGS = ['baton.config.ts', 'baton.config.mjs', 'baton.config.js', 'baton.config.json'];

async function config(imports: ImportModule): Promise<Result<unknown>> {
  const path = CONFIGS.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
  if (path === undefined) return ok(undefined);
  if (path.endsWith('.json')) return await jsonFile(path);
  const exported = await load(path, imports);
  return isLeft(exported) ? exported : ok(exported.right.default);
}

async function jsonFile(path: string): Promise<Result<unknown>> {
  try {
    return ok(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    return fail(unreadable(path, reasonOf(error)));
  }
}

async function pageAssets(): Promise<Result<PageAssets>> {
  try {
    return ok(JSON.parse(await readFile(PAGE, 'utf8')) as PageAssets);
  } catch (error) {
    return fail(unreadable(PAGE, reasonOf(error), 'run `pnpm build`'));
  }
}
