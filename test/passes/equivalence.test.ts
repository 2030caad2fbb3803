/** Passes keep what programs compute. */
import { orThrow } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import { type IRModule, inferTypes } from '@baton/ir';
import { type Pass, runPass, sequential, withContext } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { allClose, tensor } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomProgram, steps } from './random-program.ts';

const SEED = 20260731;
const RUNS = 150;
const EVERY_LEVEL = 9;
const TOLERANCE = { rtol: 1e-3, atol: 1e-3 };

const size = 36;
const x = tensor(
  Array.from({ length: size }, (_, i) => ((i * 7) % 11) / 8 - 0.5),
  [2, 3, 3, 2],
  'float32',
);
const y = tensor(
  Array.from({ length: size }, (_, i) => ((i * 5) % 13) / 8 - 0.75),
  [2, 3, 3, 2],
  'float32',
);

function tensors(m: IRModule): ReadonlyArray<Value> {
  const value = orThrow(evaluate(m, [x, y]));
  return value._tag === 'Tuple' ? value.fields : [value];
}

function agree(a: Value | undefined, b: Value | undefined): boolean {
  return a?._tag === 'Tensor' && b?._tag === 'Tensor' && allClose(a, b, TOLERANCE);
}

const PASSES: ReadonlyArray<readonly [string, Pass]> = [
  ...Object.entries(passes),
  ['optimize, level 3', optimize({ level: 3 })],
];

describe('random programs keep their values under', () => {
  test.each(PASSES)('%s', (_name, pass) => {
    const pipeline = withContext({ level: EVERY_LEVEL }, sequential([pass]));
    fc.assert(
      fc.property(steps, (list) => {
        const m = orThrow(inferTypes(randomProgram(list)));
        const before = tensors(m);
        const { module } = orThrow(runPass(pipeline)(m));
        const after = tensors(module);
        expect(after.length).toBe(before.length);
        for (const [i, value] of before.entries()) expect(agree(after[i], value)).toBe(true);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
