/**
 * Random programs on the compiled executor as its users have it, and as standalone modules: the same bits
 * as the interpreter. The seeds find each fault of `wasm-received.test.ts` without knowing it.
 */
import { isLeft } from '@baton/base';
import { compiledDifference, compiledProgram } from '@baton/testing';
import { makeWasm } from '@baton/wasm';
import { checked } from '@baton/wasm/checked';
import { describe, expect, it } from 'vitest';
import { compiledModule, moduleDifference } from './wasm-agreement.ts';

const SEED = 1;
const PROGRAMS = 160;

/** One program in this number becomes a module, if there is code for all of it. */
const AS_MODULE = 4;

const seeds = Array.from({ length: PROGRAMS }, (_, i) => SEED + i);

describe('random programs for compiled code', () => {
  it('come to the bits of the interpreter in the default setting, in a checked build', () => {
    const byDefault = makeWasm({ checks: checked });
    const withoutFusedSums = makeWasm({ level: 'simd', checks: checked });
    const problems = seeds.flatMap((seed) => {
      const program = compiledProgram(seed);
      const executor = program.isFractional ? withoutFusedSums : byDefault;
      return compiledDifference(program, executor) ?? [];
    });
    expect(problems).toEqual([]);
  });

  it('come to the bits of the interpreter as modules', async () => {
    const problems: string[] = [];
    let modules = 0;
    for (const seed of seeds.filter((one) => one % AS_MODULE === 0)) {
      const { module, inputs, text, isFractional } = compiledProgram(seed);
      const files = compiledModule(module, isFractional ? ['simd'] : undefined);
      if (isLeft(files)) continue;
      modules++;
      const problem = await moduleDifference(module, inputs, files.right);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}\n${text}`);
    }
    expect(problems).toEqual([]);
    expect(modules).toBeGreaterThan(PROGRAMS / AS_MODULE / 2);
  });
});
