/** Compiled operators on random calls, bit by bit. */
import { standardOps } from '@baton/ops';
import { type CheckedExecutor, checkOperatorCalls, noOperators } from '@baton/testing';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { expect, it } from 'vitest';

const CALLS = 200;
const SEED = 16_100;

const subject: CheckedExecutor = {
  executor: makeWasm({ leastElements: 0, isExact: true }),
  isExact: true,
  covers: (m) =>
    compiledFacts(m, { isExact: true })?.kernels.some(({ isCompiled }) => isCompiled) === true,
};

it('compiled operators agree with the interpreter in all regimes', () => {
  const counts = noOperators();
  const problems = standardOps.names.flatMap((name) =>
    checkOperatorCalls(standardOps, name, { seed: SEED, count: CALLS }, subject, counts),
  );
  expect(problems).toEqual([]);
  expect(counts.operators.size).toBeGreaterThan(100);
  expect(counts.applied.size).toBe(3);
});
