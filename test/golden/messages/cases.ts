/**
 * Files of messages: a user's input, and the text of the answer. A case starts with `=== title`; a
 * line `---` separates the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { DiagnosticsError } from '@baton/base';
import { expect, it } from 'vitest';

const isBlessing = process.env.BATON_BLESS === '1';

/** One test per case of the file: `run` takes the input, and throws through `orThrow`. */
export function testMessages(file: URL, run: (written: string) => unknown): void {
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
      const found = messageOf(() => run(written));
      if (isBlessing) blessed.push(`=== ${title}\n${written}\n---\n${found}\n`);
      else expect(found).toBe(expected);
      expect(found).toMatch(/^error\[/);
    });
  }
  it('is the file that the messages make', () => {
    expect(cases.length).toBeGreaterThan(0);
    if (isBlessing) writeFileSync(file, blessed.join('\n'));
  });
}

/** The message of the exception. */
function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.message;
    throw error;
  }
  return 'nothing is wrong with it';
}
