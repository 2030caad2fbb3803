/** A host whose files are in memory: a command reads no other, and writes nowhere. */
import { diagnostic, fail, InvariantError, ok, type Result } from '@baton/base';
import { EXIT, type Host, main } from '@baton/cli';
import { passes } from 'batonjs';
import { type Parts, textOf } from './reader.ts';

/** The file of settings, which is read if it is there. */
export const CONFIG = 'baton.config.json';

const missing = (path: string): Result<never> =>
  fail(diagnostic('CLI_READ', `${path} cannot be read: there is no such file or folder`));

/** The exports of users' modules, good and bad, by the names of their files. */
const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'rules.mjs': { none: 1, empty: [], bad: { _tag: 'Right', right: null }, left: { _tag: 'Left' } },
  'good.mjs': { passes: [] },
};

/** Values that JSON lacks and modules may export, by how a corrupted file of settings writes them. */
const VALUES: Readonly<Record<string, unknown>> = {
  $undefined: undefined,
  $function: () => {},
  $pass: passes.foldConstant,
  $symbol: Symbol('x'),
  $bigint: 1n,
  $nan: Number.NaN,
  $map: new Map([['a', 1]]),
  $date: new Date(0),
  $bare: Object.create(null),
};

const withValues = (_: string, value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(VALUES, value) ? VALUES[value] : value;

function hostOf(parts: Parts, told: string[]): Host {
  const asset = { text: '', hash: 'sha256-' };
  return {
    read: async (path) => {
      const bytes = parts.get(path);
      return bytes === undefined ? missing(path) : ok(bytes.slice());
    },
    list: async (folder) => ok([...parts.keys()].filter((path) => path.startsWith(`${folder}/`))),
    playground: async () => missing('the playground'),
    beside:
      () =>
      ({ location, offset, length = 0 }) =>
        parts.get(location)?.slice(offset, offset + length),
    write: async (files) => {
      for (const { pieces } of files) for (const _ of pieces);
      return ok(undefined);
    },
    load: async (path) => {
      const exported = Object.hasOwn(MODULES, path) ? MODULES[path] : undefined;
      return exported === undefined ? missing(path) : ok(exported);
    },
    config: async () => {
      if (!parts.has(CONFIG)) return ok(undefined);
      try {
        return ok(JSON.parse(textOf(parts, CONFIG), withValues));
      } catch {
        return missing(CONFIG);
      }
    },
    pageAssets: async () => ok({ script: asset, style: asset }),
    onnxruntime: async () => fail(diagnostic('CLI_RUNTIME', 'onnxruntime-node is not found')),
    testing: async () => fail(diagnostic('CLI_TESTING', 'there are no packages')),
    proofs: async () => fail(diagnostic('CLI_PROOFS', 'there are no packages')),
    timing: () => async (_, variants) =>
      new Map(
        variants.map(({ name }) => [
          name,
          { run: undefined, optimize: undefined, fuse: undefined },
        ]),
      ),
    print: () => {},
    tell: (line) => void told.push(line),
    progress: { step: () => {}, done: () => {} },
    now: () => 0,
    machine: 'a test',
  };
}

/** Runs a command on files. Returns its exit code; a bug that it reports is thrown. */
export async function commanded(argv: ReadonlyArray<string>, parts: Parts): Promise<string> {
  const told: string[] = [];
  const code = await main(argv, hostOf(parts, told));
  if (code === EXIT.internal) throw new InvariantError(told.join('\n').slice(0, 2_000));
  return `exit ${code}`;
}
