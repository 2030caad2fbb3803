import { checkExecutors, type ExecutorCount, GENERATORS } from '@baton/testing';
import { makeWasm, type WasmOptions } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const PROGRAMS = amount(20, { quick: 10 });
const SEED = 73_001;

/** Where no sum is reordered and no function approximated, every bit is the same. */
const EXACT: ReadonlyArray<readonly [string, WasmOptions]> = [
  ['reference kernels on planned memory', { level: 'none', leastElements: 0 }],
  ['vector code', { isExact: true, leastElements: 0 }],
];

describe.each(EXACT)('%s', (_, options) => {
  it.each(GENERATORS)('come to the same as the oracle on programs of $name', (generator) => {
    const executor = makeWasm(options);
    const count: ExecutorCount = { programs: 0, values: 0 };
    const problems: string[] = [];
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const problem = checkExecutors(generator, seed, count, executor);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(count.values / count.programs).toBeGreaterThan(0.8);
  });
});
