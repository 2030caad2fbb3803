/** Every row of every pass's case table applies in a golden file, which shows what it does. */
import { readdirSync, readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type Pass, passStatistics, runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { parseGolden } from './format.ts';
import { parseRunLine } from './run-line.ts';

const HEADER = '#[version = "0.0.5"]';
const folder = new URL('.', import.meta.url);

const applied = new Map<string, Set<string>>();
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.ir')) collect(readFileSync(new URL(name, folder), 'utf8'), name);
}

describe('each row applies in a golden file', () => {
  const all: ReadonlyArray<Pass> = Object.values(passes);
  test.each(all.map((p) => [p.name, p] as const))('%s', (name, pass) => {
    expect(pass.rows.filter((row) => applied.get(name)?.has(row) !== true)).toEqual([]);
    expect(new Set(pass.rows).size).toBe(pass.rows.length);
  });

  test('and most passes have rows', () => {
    expect(all.filter((p) => p.rows.length > 0).length).toBeGreaterThan(10);
  });
});

function collect(text: string, source: string): void {
  const file = parseGolden(text);
  if (file.sections.some(({ kind }) => kind.startsWith('error'))) return;
  const whole = file.input.includes(HEADER) ? file.input : `${HEADER} ${file.input}`;
  const m = orThrow(inferTypes(orThrow(parseModule(whole, { ops: standardOps, source }))));
  const { report } = orThrow(runPass(parseRunLine(file.run))(m));
  for (const [name, counts] of passStatistics(report)) {
    const rows = applied.get(name) ?? new Set();
    applied.set(name, rows);
    for (const row of Object.keys(counts)) rows.add(row);
  }
}
