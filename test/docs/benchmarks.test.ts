/** The README quotes the page of benchmarks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const rowsIn = (text: string): ReadonlyArray<string> =>
  text.split('\n').filter((line) => line.startsWith('|'));

describe('the figures of the README', () => {
  const [, quoted = ''] = /<!-- field -->(.*?)<!-- end of field -->/s.exec(read('README.md')) ?? [];
  const page = read('docs/benchmarks.md');

  it('are those of docs/benchmarks.md', () => {
    const [, all = ''] = /## All files\n(.*?)\n## /s.exec(page) ?? [];
    expect(rowsIn(quoted)).toEqual(rowsIn(all));
    expect(rowsIn(quoted).length).toBeGreaterThan(6);
  });

  it('are of 40 files at least, each of which has a row', () => {
    const [, each = ''] = /## Each file\n(.*)/s.exec(page) ?? [];
    const files = rowsIn(each).length - 2;
    expect(files).toBeGreaterThanOrEqual(40);
    expect(quoted).toContain(`of ${files} |`);
  });
});
