/**
 * Compiled operators on random calls in float16 and float64: bit-identical with the interpreter where every
 * bit stays, and close to it where sums are taken in another order.
 */
import { orThrow } from '@baton/base';
import { type Executor, interpreter } from '@baton/executor';
import type { Func, IRModule } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { compareTensors, isFloat, type Tensor, tensorsEqual } from '@baton/tensor';
import { callsOf, inputsFor, leavesOf } from '@baton/testing';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 3 });
const SEED = 38_700;
const PARTS = 4;

const exact = makeWasm({ leastElements: 0, isExact: true });
const near = makeWasm({ leastElements: 0 });

function resultsOn(executor: Executor, m: IRModule, seed: number): ReadonlyArray<Tensor> {
  const inputs = inputsFor(m.functions.get('main') as Func, seed);
  return leavesOf(orThrow(orThrow(executor.prepare(m)).run(inputs)));
}

/** How far a result is from the wanted one. */
function errorOf(found: Tensor, wanted: Tensor): number {
  if (tensorsEqual(found, wanted)) return 0;
  if (!isFloat(wanted.dtype)) return Number.POSITIVE_INFINITY;
  const { equalNaNs, maxRelError } = compareTensors(found, wanted);
  return equalNaNs ? maxRelError : Number.POSITIVE_INFINITY;
}

describe.each([
  ['float16', 2 ** -9],
  ['float64', 1e-12],
] as const)('compiled operators in %s', (dtype, largestError) => {
  const counts = { compiled: 0 };

  it.each(Array.from({ length: PARTS }, (_, part) => part))('agree, part %i', (part) => {
    for (const name of standardOps.names.filter((_, i) => i % PARTS === part)) {
      for (let seed = SEED; seed < SEED + CALLS; seed++) {
        const m = callsOf(standardOps, name, [seed], dtype);
        if (!m || !compiledFacts(m)?.kernels.some(({ isCompiled }) => isCompiled)) continue;
        counts.compiled += 1;
        const wanted = resultsOn(interpreter, m, seed);
        const same = resultsOn(exact, m, seed);
        const close = resultsOn(near, m, seed);
        for (const [i, tensor] of wanted.entries()) {
          expect(errorOf(same[i] as Tensor, tensor), `${name} ${seed}`).toBe(0);
          const error = errorOf(close[i] as Tensor, tensor);
          expect(error, `${name} ${seed}`).toBeLessThan(largestError);
        }
      }
    }
  });

  it('are more than a hundred', () => {
    expect(counts.compiled).toBeGreaterThan(100 * CALLS);
  });
});
