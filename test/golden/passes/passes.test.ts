/** The records of every named pass and every level as text; `pnpm bless` rewrites it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { standardOps } from '@baton/ops';
import { type Pass, rowsWith } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { expect, test } from 'vitest';

const isBlessing = process.env.BATON_BLESS === '1';
const file = new URL('passes.txt', import.meta.url);

test('passes state their names, levels, parts, needs and rows', () => {
  const named = Object.entries<Pass>(passes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, pass]) => described(key, pass));
  const levels = ([0, 1, 2, 3] as const).map((level) =>
    described(`optimize({ level: ${level} })`, optimize({ level })),
  );
  const text = `${[...named, ...levels].join('\n')}\n`;
  if (isBlessing) writeFileSync(file, text);
  else expect(text).toBe(readFileSync(file, 'utf8'));
});

function described(key: string, pass: Pass): string {
  const list = (title: string, items: ReadonlyArray<string>): ReadonlyArray<string> =>
    items.length === 0 ? [] : [`  ${title}: ${items.join('; ')}`];
  const inside = pass.wraps?.pass ?? pass;
  return [
    `${key}: ${pass.name}, level ${pass.level}`,
    `  ${pass.doc}`,
    ...list('requires', inside.requires.map(nameOf)),
    ...list('passes', inside.passes.map(nameOf)),
    ...list('needs', pass.needs),
    ...list('rows', rowsWith(pass, standardOps)),
  ].join('\n');
}

const nameOf = (pass: Pass): string => pass.name;
