import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it, vi } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'baton-tutorial-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The TypeScript of a document, and what its comments say that it prints. */
async function read(path: string): Promise<{ code: string; expected: ReadonlyArray<string> }> {
  const text = await readFile(join(here, path), 'utf8');
  const code = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1]).join('\n');
  const expected = [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1] ?? '');
  return { code, expected };
}

describe('U.12 the README and the tutorial run on this package alone, and print what they say', () => {
  it.each([
    ['../README.md', 1],
    ['../../../docs/egraph/1-arithmetic.md', 8],
    ['../../../docs/egraph/2-lambda.md', 5],
    ['../../../docs/egraph/3-optimizer.md', 6],
  ])('%s', async (path, least) => {
    const { code, expected } = await read(path);
    // U.12: a project that installs this package alone can import no other.
    expect(new Set(code.match(/(?<=from ')[^']+/g))).toEqual(new Set(['@baton/egraph']));
    const outfile = join(folder, `${path.replace(/\W+/g, '-')}.mjs`);
    await build({
      stdin: { contents: code, resolveDir: here, loader: 'ts' },
      bundle: true,
      outfile,
      platform: 'node',
      format: 'esm',
      conditions: ['baton-source'],
    });
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    let printed: ReadonlyArray<string>;
    try {
      await import(pathToFileURL(outfile).href);
      printed = log.mock.calls.map((call) => call.map(String).join(' '));
    } finally {
      log.mockRestore();
    }
    expect(printed).toEqual(expected);
    expect(expected.length).toBeGreaterThanOrEqual(least);
  });
});
