/** Compiled operators on random calls, bit by bit. */
import { standardOps } from '@baton/ops';
import { type CheckedExecutor, checkOperatorCalls, noOperators } from '@baton/testing';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 8 });
const SEED = 16_100;

const subject: CheckedExecutor = {
  executor: makeWasm({ leastElements: 0, isExact: true }),
  isExact: true,
  covers: (m) =>
    compiledFacts(m, { isExact: true })?.kernels.some(({ isCompiled }) => isCompiled) === true,
};

const counts = noOperators();

it.each([0, 1, 2, 3, 4, 5, 6, 7])('compiled operators agree in all regimes, part %i', (part) => {
  const names = standardOps.names.filter((_, i) => i % 8 === part);
  const problems = names.flatMap((name) =>
    checkOperatorCalls(standardOps, name, { seed: SEED, count: CALLS }, subject, counts),
  );
  expect(problems).toEqual([]);
});

it('they are more than a hundred, and each regime applies', () => {
  expect(counts.operators.size).toBeGreaterThan(100);
  expect(counts.applied.size).toBe(3);
});
