/** Mutants of compiled code name places that the sources still have: the comparisons run rarely. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CODE_MUTANTS } from '../../packages/workshop/src/code-mutants/mutants.ts';

test('each mutant of compiled code changes one place of one source', () => {
  for (const { name, file, place } of CODE_MUTANTS) {
    const source = readFileSync(new URL(`../../packages/${file}`, import.meta.url), 'utf8');
    expect(source.split(place.replace(/[«»]/g, '')), name).toHaveLength(2);
  }
});
