import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, expect, it, vi } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'baton-tour-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = readFileSync(join(here, '../../docs/tour.md'), 'utf8');
const code = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1]).join('\n');
const expected = [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]);

it('the tour runs, and prints what it says', async () => {
  const outfile = join(folder, 'tour.mjs');
  await build({
    stdin: { contents: code, resolveDir: here, loader: 'ts' },
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    conditions: ['baton-source'],
  });
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(pathToFileURL(outfile).href);
    expect(log.mock.calls.map((call) => call.map(String).join(' '))).toEqual(expected);
  } finally {
    log.mockRestore();
  }
  expect(expected.length).toBeGreaterThan(20);
});
