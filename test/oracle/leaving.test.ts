/**
 * Files that leave: random programs of each generator, with known and with open sizes, are written,
 * read again, and run in onnxruntime. `pnpm fuzz --seed S --exports N` does the same at any length.
 */
import { GENERATORS } from '@baton/testing';
import { expect, test } from 'vitest';
import { EQUATIONS } from '../../packages/workshop/src/fuzz/equations.ts';
import { CALLS, checkExport, noExports } from '../../packages/workshop/src/fuzz/exports.ts';
import { findRuntime } from '../../packages/workshop/src/onnxruntime/installed.ts';

const SEED = 20_261_127;
const SEEDS = 3;

/** The first seed of the calls, one operator after another. */
const CALLS_SEED = 3100;
const CALLS_COUNT = 80;
const EQUATIONS_COUNT = 20;

const count = noExports();
const runtime = findRuntime();

const SUBJECTS = [
  ...GENERATORS.map((generator) => ({ generator, first: SEED, seeds: SEEDS })),
  { generator: CALLS, first: CALLS_SEED, seeds: CALLS_COUNT },
  { generator: EQUATIONS, first: SEED, seeds: EQUATIONS_COUNT },
];

test.each(SUBJECTS)('$generator.name', async ({ generator, first, seeds }) => {
  const problems: string[] = [];
  for (let seed = first; seed < first + seeds; seed++) {
    const problem = await checkExport(generator, seed, count, runtime);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test('most programs have a form in ONNX, and some of these have open sizes', () => {
  expect(count.exported).toBeGreaterThan(0.55 * count.programs);
  expect(count.ran).toBeGreaterThan(0.9 * count.exported);
  expect(count.open).toBeGreaterThan(0.1 * count.exported);
});
