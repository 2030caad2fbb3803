/** A host whose files are in memory, and whose lines are kept. */
import { diagnostic, fail, ok, type Result } from '@baton/base';
import type { Host, NewFile, Proofs, RunModel, Testing } from '../src/host.ts';
import { main } from '../src/main.ts';

type Files = Readonly<Record<string, Uint8Array | string>>;

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly log: string;
  readonly stages: ReadonlyArray<string>;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly text: (path: string) => string;
  readonly served: ReadonlyArray<string>;
}

export interface HostParts {
  readonly config?: unknown;
  readonly modules?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The path that cannot be written. */
  readonly full?: string;
  readonly runtime?: RunModel;
  readonly testing?: Testing;
  readonly proofs?: Proofs;
}

const bytesOf = (content: Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

const joined = ({ pieces }: NewFile): Uint8Array => {
  const parts = [...pieces].map(bytesOf);
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const noRuntime = (): Result<never> =>
  fail(diagnostic('CLI_RUNTIME', 'onnxruntime-node is not found'));

export async function baton(
  argv: ReadonlyArray<string>,
  given: Files = {},
  { config, modules = {}, full, runtime, testing, proofs }: HostParts = {},
): Promise<Ended> {
  const files = new Map(Object.entries(given).map(([path, content]) => [path, bytesOf(content)]));
  const served: string[] = [];
  const out: string[] = [];
  const log: string[] = [];
  const stages: string[] = [];
  const missing = (path: string): Result<never> =>
    fail(diagnostic('CLI_READ', `${path} cannot be read: there is no such file or folder`));
  const host: Host = {
    read: async (path) => {
      const bytes = files.get(path);
      return bytes === undefined ? missing(path) : ok(bytes);
    },
    list: async (folder) => {
      const inside = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
      return inside.length === 0
        ? missing(folder)
        : ok(inside.map((path) => path.slice(folder.length + 1)));
    },
    beside:
      () =>
      ({ location, offset, length = 0 }) =>
        files.get(location)?.slice(offset, offset + length),
    write: async (all) => {
      if (all.some(({ path }) => path === full)) {
        return fail(diagnostic('CLI_WRITE', `${full} cannot be written: the disk is full`));
      }
      for (const file of all) files.set(file.path, joined(file));
      return ok(undefined);
    },
    load: async (path) => {
      const exported = modules[path];
      return exported === undefined ? missing(path) : ok(exported);
    },
    config: async () => ok(config),
    pageAssets: async () => {
      const asset = { text: '', hash: 'sha256-' };
      return ok({ script: asset, style: asset });
    },
    playground: async (given) => {
      served.push(...given.map(({ name }) => name));
      return ok({ url: 'http://127.0.0.1:1/', ended: Promise.resolve() });
    },
    testing: async () =>
      testing === undefined
        ? fail(diagnostic('CLI_TESTING', '@baton/testing is not found'))
        : ok(testing),
    proofs: async () =>
      proofs === undefined
        ? fail(diagnostic('CLI_PROOFS', '@baton/proofs is not found'))
        : ok(proofs),
    onnxruntime: async () => (runtime === undefined ? noRuntime() : ok(runtime)),
    timing: () => async (_, variants) =>
      new Map(
        variants.map(({ name }) => [
          name,
          { run: undefined, optimize: undefined, fuse: undefined },
        ]),
      ),
    print: (line) => void out.push(line),
    tell: (line) => void log.push(line),
    progress: { step: (text) => void stages.push(text), done: () => {} },
    now: () => 0,
    machine: 'a test',
  };
  const code = await main(argv, host);
  const text = (path: string) => new TextDecoder().decode(files.get(path));
  return { code, out: out.join('\n'), log: log.join('\n'), stages, files, served, text };
}
