import { structuralEqual } from '@baton/ir';
import { printExpr, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { type ParsedSeed, parseSeed, type Seed, seeds } from './fixture.ts';

/** A parsed seed, printed in today's form. */
const printed = ({ module, expr }: ParsedSeed): { definitions: string; text: string } =>
  expr === undefined
    ? { definitions: '', text: printModule(module, { header: false }) }
    : {
        definitions: printModule(module, { header: false }),
        text: printExpr(expr, { ops: module.ops, header: false, meta: 'section' }),
      };

/** Parses the printed text. */
const reparsed = (seed: Seed, parsed: ParsedSeed, dialect?: 'legacy'): ParsedSeed =>
  parseSeed({ ...seed, ...printed(parsed), dialect: 'relay' }, dialect);

function expectSame(a: ParsedSeed, b: ParsedSeed): void {
  expect(structuralEqual(a.module, b.module)).toBe(true);
  if (a.expr === undefined || b.expr === undefined) expect(a.expr).toBe(b.expr);
  else expect(structuralEqual(a.expr, b.expr, { mapFreeVars: true })).toBe(true);
}

describe.each(seeds.map((seed) => [seed.file, seed] as const))('%s', (_, seed) => {
  const isText = seed.kind !== 'type';

  it('parses, prints as text of today and parses back to the same program', () => {
    const parsed = parseSeed(seed);
    if (!isText) return expect(parsed.expr?._tag).toBe('Var');
    const again = reparsed(seed, parsed);
    expectSame(again, parsed);
    expect(printed(again)).toEqual(printed(parsed));
  });

  it('means the same in the legacy dialect as in its own', () => {
    const parsed = parseSeed(seed);
    expectSame(parseSeed(seed, 'legacy'), parsed);
    if (isText) expectSame(reparsed(seed, parsed, 'legacy'), parsed);
  });
});

describe('the seeds', () => {
  it('are all there; S53 is host code', () => {
    const ids = new Set(seeds.map((seed) => seed.id));
    const missing = Array.from({ length: 58 }, (_, i) => `S${String(i + 1).padStart(2, '0')}`);
    expect(missing.filter((id) => !ids.has(id))).toEqual(['S53']);
  });
});
