/**
 * Programs and the results of inference: `inferred.txt` has programs with types, `refused.txt` has
 * errors. A case starts with `=== title`; a line `---` separates the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { renderDiagnostics } from '@baton/base';
import { type IRModule, inferTypes, structuralEqual } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { moduleOf } from './support.ts';

const isBlessing = process.env.BATON_BLESS === '1';

/** The cases of a file: a program, and the result of inference. */
const casesOf = (file: URL) =>
  readFileSync(file, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n');
      const [written = '', expected = ''] = lines.join('\n').split(/^---\n/m);
      return { title, written: written.trim(), expected: expected.trim() };
    });

const printed = (m: IRModule): string => printModule(m, { header: false, showTypes: false }).trim();

/** The program with types, if its text means the same; or the errors. */
function outcome(text: string): string {
  const result = inferTypes(moduleOf(text));
  if (result._tag === 'Left') return renderDiagnostics(result.left);
  const shown = printed(result.right);
  expect(inferTypes(result.right)).toEqual({ _tag: 'Right', right: result.right });
  const again = inferTypes(moduleOf(shown));
  expect(again._tag === 'Right' && structuralEqual(again.right, result.right)).toBe(true);
  return shown;
}

describe.each(['inferred.txt', 'refused.txt'])('%s', (name) => {
  const file = new URL(name, import.meta.url);
  const cases = casesOf(file);
  const blessed: string[] = [];
  for (const { title, written, expected } of cases) {
    it(title, () => {
      const found = outcome(written);
      if (isBlessing) blessed.push(`=== ${title}\n${written}\n---\n${found}\n`);
      else expect(found).toBe(expected);
      expect(found.startsWith('error[')).toBe(name === 'refused.txt');
    });
  }

  it('is the file that inference makes', () => {
    expect(cases.length).toBeGreaterThan(0);
    if (isBlessing) writeFileSync(file, blessed.join('\n'));
  });
});
