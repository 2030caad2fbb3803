/** Files that hold the expected output of tests: `pnpm bless` writes them, every other run compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Whether this run writes the files. */
export const isBlessing = process.env.BATON_BLESS === '1';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the file when blessing; otherwise expects that it holds the text. */
export function expectFile(path: string | URL, text: string): void {
  if (isBlessing) writeFileSync(path, text);
  else expect(text, staleText(path)).toBe(readFileSync(path, 'utf8'));
}

/** The message of a stale file, with the command that writes it. */
export const staleText = (path: string | URL): string =>
  `${relative(root, path instanceof URL ? fileURLToPath(path) : path)} is stale: if the change is meant, \`pnpm bless\` writes it`;

/**
 * One test for each case of a file, in which a case is `=== title`, an input, `---`, and the output
 * of `run` for this input.
 */
export function testCases(file: URL, run: (written: string) => string): void {
  const cases = readFileSync(file, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n');
      const [written = '', expected = ''] = lines.join('\n').split(/^---\n/m);
      return { title, written: written.trim(), expected: expected.trim() };
    });
  const blessed: string[] = [];
  for (const { title, written, expected } of cases) {
    it(title, () => {
      const found = run(written);
      blessed.push(`=== ${title}\n${written}\n---\n${found}\n`);
      if (!isBlessing) expect(found, staleText(file)).toBe(expected);
    });
  }
  it('has cases', () => {
    expect(cases.length).toBeGreaterThan(0);
    if (isBlessing) expectFile(file, blessed.join('\n'));
  });
}
