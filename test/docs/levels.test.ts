/** The levels of passes are those that the specification states. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passes } from '@baton/passes';
import { expect, test } from 'vitest';
import { root } from './pages.ts';

const spec = readFileSync(join(root, 'docs/spec/passes.md'), 'utf8');

/** The names in the first cells of the table, and their levels: one for all, or one for each. */
const stated = new Map(
  spec.split('\n').flatMap((line) => {
    const [, names, , levels] = line.split('|').map((cell) => cell.trim());
    if (names === undefined || levels === undefined || !/^\d( \/ \d)*$/.test(levels)) return [];
    const each = levels.split(' / ').map(Number);
    return names
      .split(' / ')
      .flatMap((part, i) =>
        (part.match(/\w+/g) ?? []).map((word) => [word, each[i] ?? each[0]] as const),
      );
  }),
);

test.each(Object.values(passes).filter(({ name }) => stated.has(name)))('$name', (pass) => {
  expect(pass.level).toBe(stated.get(pass.name));
});

test('most passes have a row of their own', () => {
  expect(Object.values(passes).filter(({ name }) => stated.has(name)).length).toBeGreaterThan(25);
});
