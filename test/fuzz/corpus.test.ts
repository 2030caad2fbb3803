/** Reduced failures that the fuzz run found, all of them mended. */
import { readdirSync, readFileSync } from 'node:fs';
import { passByName, readCorpusEntry, violationOn } from '@baton/testing';
import { describe, expect, test } from 'vitest';

const folder = new URL('corpus/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.ir'))
  .sort();

describe('programs that a pass once got wrong', () => {
  test.each(files)('%s', (name) => {
    const entry = readCorpusEntry(readFileSync(new URL(name, folder), 'utf8'));
    if (typeof entry === 'string') throw new Error(entry);
    const pass = passByName(entry.pass);
    if (pass === undefined) throw new Error(`no pass is called ${entry.pass}`);
    for (const seed of [entry.seed, 1, 2, 3]) {
      expect(violationOn(pass, entry.module, seed)).toBeUndefined();
    }
  });
});

test('a file that says nothing of a pass is refused', () => {
  expect(readCorpusEntry('def @main() { () }')).toBe(
    'there is no line "// FUZZ pass; seed N; property"',
  );
});
