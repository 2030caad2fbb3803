import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Result } from '@baton/base';
import { type Expr, type IRModule, structuralEqual } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { parseExpr, parseModule, printExpr, printModule } from '@baton/text';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { modelFile } from './model-file.ts';
import { pages, root } from './pages.ts';
import { type Program, programs } from './programs.ts';

/**
 * Every block of TypeScript and of Relay in the documents runs. A block continues the program of
 * the blocks before it on its page, unless it imports a name again: then it begins another. A
 * program's output must be the one in its comments `// → …`.
 */

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'baton-snippets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = ({ name }: Program): string => name.replace(/\W+/g, '-');

const before = process.cwd();
afterAll(() => process.chdir(before));

beforeAll(async () => {
  const codes = new Map(programs.map((program) => [fileOf(program), program.code]));
  await build({
    entryPoints: [...codes.keys()].map((name) => ({ in: `snippet:${name}`, out: name })),
    plugins: [
      {
        name: 'snippets',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^snippet:/ }, ({ path }) => ({
            path: path.slice('snippet:'.length),
            namespace: 'snippet',
          }));
          onLoad({ filter: /.*/, namespace: 'snippet' }, ({ path }) => ({
            contents: codes.get(path) ?? '',
            loader: 'ts',
            resolveDir: here,
          }));
        },
      },
    ],
    bundle: true,
    splitting: true,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    conditions: ['baton-source'],
  });
  const files = join(folder, 'files');
  mkdirSync(files);
  writeFileSync(join(files, 'model.onnx'), modelFile());
  process.chdir(files);
});

describe('U.13 the TypeScript of the documents runs, and prints its comments', () => {
  it.each(programs.map((p) => [p.name, p] as const))('%s', async (_, program) => {
    const expected = [...program.code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const table = vi.spyOn(console, 'table').mockImplementation(() => {});
    try {
      await import(pathToFileURL(join(folder, `${fileOf(program)}.mjs`)).href);
      const printed = log.mock.calls.map((call) => call.map(String).join(' '));
      if (expected.length > 0) expect(printed).toEqual(expected);
    } finally {
      log.mockRestore();
      table.mockRestore();
    }
  });
});

it('U.12 the README and the tutorial of the e-graph import that package alone', () => {
  const alone = programs.filter(({ name }) => /^(packages|docs)\/egraph\//.test(name));
  expect(alone.length).toBeGreaterThan(3);
  for (const { name, code } of alone) {
    expect([name, new Set(code.match(/(?<=from ')[^']+/g))]).toEqual([
      name,
      new Set(['@baton/egraph']),
    ]);
  }
});

/** The compiler options recommended to users. */
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022'];
const TYPES = join(root, 'node_modules/@types');
const NODE = ['--module', 'nodenext', '--types', 'node', '--typeRoots', TYPES];

it('the TypeScript of the documents has the types that the built packages promise', async () => {
  const typed = mkdtempSync(join(here, '../node_modules/.snippets-'));
  try {
    const files = programs.map((program) => join(typed, `${fileOf(program)}.mts`));
    for (const [i, file] of files.entries())
      writeFileSync(file, `${programs[i]?.code}\nexport {};\n`);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const checked = promisify(execFile)(process.execPath, [compiler, ...STRICT, ...NODE, ...files]);
    const errors = await checked.then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    expect(errors.split('\n')).toEqual(['']);
  } finally {
    rmSync(typed, { recursive: true });
  }
});

const messages = (result: Result<unknown>): ReadonlyArray<string> =>
  result._tag === 'Left' ? result.left.map((d) => `${d.code} ${d.message}`) : [];

/** The blocks of one kind, with their places. */
const ofKind = (kind: string): ReadonlyArray<readonly [string, string]> =>
  pages.flatMap(({ path, blocks }) =>
    blocks.filter((b) => b.kind === kind).map((b) => [`${path}:${b.line}`, b.body] as const),
  );

describe('the Relay of the documents parses, and its print parses to the same', () => {
  it.each(ofKind('relay module'))('%s', (_, body) => {
    const m = parseModule(body, { ops });
    expect(messages(m)).toEqual([]);
    const again = parseModule(printModule((m as { right: IRModule }).right), { ops });
    expect(
      again._tag === 'Right' && m._tag === 'Right' && structuralEqual(again.right, m.right),
    ).toBe(true);
  });

  it.each(ofKind('relay'))('%s', (_, body) => {
    const e = parseExpr(body, { ops });
    expect(messages(e)).toEqual([]);
    const again = parseExpr(printExpr((e as { right: Expr }).right, { ops }), { ops });
    const options = { mapFreeVars: true };
    expect(
      again._tag === 'Right' &&
        e._tag === 'Right' &&
        structuralEqual(again.right, e.right, options),
    ).toBe(true);
  });

  it.each(ofKind('relay legacy'))('%s, which the dialect of today refuses', (_, body) => {
    expect(messages(parseModule(body, { ops, dialect: 'legacy' }))).toEqual([]);
    expect(parseModule(body, { ops })._tag).toBe('Left');
  });
});

it('blocks have a kind that a test knows', () => {
  const known = new Set([
    'console',
    'ts',
    'relay',
    'relay module',
    'relay legacy',
    'ebnf',
    'ebnf legacy',
    'sh',
    'json',
    'html',
    'text',
  ]);
  const unknown = pages.flatMap(({ path, blocks }) =>
    blocks.filter((b) => !known.has(b.kind)).map((b) => `${path}:${b.line} ${b.kind}`),
  );
  expect(unknown).toEqual([]);
});
