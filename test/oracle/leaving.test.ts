/**
 * Files that leave: random programs of each generator, with known and with open sizes, are written,
 * read again, and run in onnxruntime. `pnpm fuzz --seed S --exports N` does the same at any length.
 */
import { GENERATORS } from '@baton/testing';
import { expect, test } from 'vitest';
import { checkExport, noExports } from '../../bench/src/fuzz/exports.ts';
import { findRuntime } from '../../bench/src/fuzz/runtime.ts';

const SEED = 20_261_127;
const SEEDS = 6;

const count = noExports();
const run = findRuntime();

test.each(GENERATORS)('$name', async (generator) => {
  const problems: string[] = [];
  for (let seed = SEED; seed < SEED + SEEDS; seed++) {
    const problem = await checkExport(generator, seed, count, run);
    if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test('most programs have a form in ONNX, and some of these have open sizes', () => {
  expect(count.exported).toBeGreaterThan(0.55 * count.programs);
  expect(count.ran).toBeGreaterThan(0.9 * count.exported);
  expect(count.open).toBeGreaterThan(0.1 * count.exported);
});
