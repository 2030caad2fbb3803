/** Generated programs on compiled code as users run it: the default executor, and modules. */
import { type CompiledCount, checkCompiled, GENERATORS } from '@baton/testing';
import { makeWasm } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import { describe, expect, it } from 'vitest';
import { checkModule, type ModuleCount } from '../../packages/workshop/src/fuzz/modules.ts';
import { amount } from '../tier.ts';

const PROGRAMS = amount(120, { quick: 2 });
const SEED = 33_001;

describe.each(GENERATORS)('programs of $name', (generator) => {
  it.each([
    ['by default', makeWasm({ checks: checked })],
    ['and with small programs compiled', makeWasm({ checks: checked, leastElements: 0 })],
  ] as const)('have the values of the interpreter %s', (_, executor) => {
    const count: CompiledCount = { programs: 0, compared: 0 };
    const problems: string[] = [];
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const problem = checkCompiled(generator, seed, executor, count);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(count.compared).toBeGreaterThan(count.programs / 2);
  });
});

it('a module of a program has the bits of the executor', async () => {
  const count: ModuleCount = { programs: 0, compiled: 0 };
  const problems: string[] = [];
  for (const generator of GENERATORS) {
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const problem = await checkModule(generator, seed, count);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
  }
  expect(problems).toEqual([]);
  expect(count.compiled).toBeGreaterThan(count.programs / 20);
});
