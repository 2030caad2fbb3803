/** Every counter of every pass applies in a golden file, which shows its effect. */
import { readdirSync, readFileSync } from 'node:fs';
import { standardOps } from '@baton/ops';
import { countersWith, type Pass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { describe, expect, test } from 'vitest';
import { parseGolden } from './format.ts';

const ROW = /^([A-Za-z0-9]+): (.+) × [0-9]+$/;
const folder = new URL('.', import.meta.url);

const applied = new Map<string, Set<string>>();
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.ir')) collect(readFileSync(new URL(name, folder), 'utf8'));
}

describe('each counter applies in a golden file', () => {
  const all: ReadonlyArray<Pass> = Object.values(passes);
  test.each(all.map((p) => [p.name, p] as const))('%s', (name, pass) => {
    const counters = countersWith(pass, standardOps);
    expect(counters.filter((counter) => applied.get(name)?.has(counter) !== true)).toEqual([]);
    expect(new Set(counters).size).toBe(counters.length);
  });

  test('and most passes have counters', () => {
    expect(all.filter((p) => p.counters.length > 0).length).toBeGreaterThan(10);
  });
});

/** The rows that a golden file states; the tests of golden files check them. */
function collect(text: string): void {
  const rows = parseGolden(text).sections.find(({ kind }) => kind === 'rows');
  for (const line of rows?.text.trim().split('\n') ?? []) {
    const [, pass = '', row = ''] = ROW.exec(line) ?? [];
    const known = applied.get(pass) ?? new Set();
    applied.set(pass, known.add(row));
  }
}
