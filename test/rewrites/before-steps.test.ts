/** Quotients that an operator with steps reads: on ties the last bit decides. */
import { orThrow } from '@baton/base';
import { runPass } from '@baton/pass-manager';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { read } from '../golden/read.ts';
import { expectKept, WAYS } from './values.ts';

/** Multiples of half a step of several scales: each is a tie, or next to one. */
const SCALES = [0.1, 0.3, 0.007, 0.05, 1.7, 0.0123];
const halves = (scale: number): ReadonlyArray<number> =>
  Array.from({ length: 40 }, (_, i) => Math.fround(Math.fround(scale) * (i - 20 + 0.5)));

const STEPS: Readonly<Record<string, (quotient: string) => string>> = {
  round: (q) => `round(${q})`,
  floor: (q) => `floor(${q})`,
  ceil: (q) => `ceil(${q} + 0.5f)`,
  trunc: (q) => `trunc(${q} + 0.5f)`,
  'a cast to integers': (q) => `cast(${q} + 0.5f, dtype="int32")`,
  'a comparison': (q) => `less_equal(${q}, 3.5f)`,
  'an equality': (q) => `equal(${q}, 2.5f)`,
  'a quantization spelled out': (q) =>
    `cast(clip(round(${q}) + 3f, a_min=0.0, a_max=255.0), dtype="uint8")`,
  'a rectifier before it': (q) => `round(nn.relu(${q}))`,
  'a reshape before it': (q) => `round(reshape(${q}, newshape=[8, 5]))`,
  'a branch before it': (q) => `round(if (less(1f, 2f)) { ${q} } else { %x })`,
  'a variable before it': (q) => `let %q = ${q}; (floor(%q), %q)`,
  'a choice before it': (q) => `round(where(less(%x, 0f), %x, ${q}))`,
};

const cases = SCALES.flatMap((scale) =>
  Object.entries(STEPS).map(([name, body]) => [name, scale, body] as const),
);

describe.each(['greedy', 'saturate', 'level 3', 'divToMul'])('%s', (way) => {
  it.each(cases)('W9: keeps ties: %s of x / %s', (_, scale, body) => {
    const text = `def @main(%x: Tensor[(40), float32]) { ${body(`(%x / ${scale}f)`)} }`;
    expectKept(text, halves(scale), WAYS[way] ?? expect.fail(way));
  });

  it('W9: keeps ties of a quotient by a root', () => {
    const text = 'def @main(%x: Tensor[(40), float32]) { round(%x / sqrt(full_like(%x, 0.01f))) }';
    expectKept(text, halves(0.1), WAYS[way] ?? expect.fail(way));
  });
});

it.each([
  ['an exact reciprocal', 'round(%x / 8f)', 'divide'],
  ['no step', 'exp(%x / 3f)', 'divide'],
  ['a step after a sum over elements', 'round(sum(%x / 3f))', 'divide'],
])('a quotient is a product where there is %s', (_, body, gone) => {
  const m = read(`def @main(%x: Tensor[(40), float32]) { ${body} }`, 'program');
  for (const way of ['greedy', 'divToMul']) {
    const { module } = orThrow(runPass(WAYS[way] ?? expect.fail(way))(m));
    expect(printModule(module)).not.toContain(gone);
  }
});
