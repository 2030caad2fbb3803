/** Networks in all layouts compute the same before and after the passes that move scales. */
import { orThrow } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import { type Pass, passesRun, runPass, sequential } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { compareTensors, type Tensor } from '@baton/tensor';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';
import { buildNet, type NetPlan, netPlans } from './nets.ts';

const SEED = 20_240_811;
const RUNS = amount(120, { quick: 30 });

const PASSES: ReadonlyArray<readonly [string, Pass]> = [
  ['simplifyInference', passes.simplifyInference],
  ['foldConstant', passes.foldConstant],
  ['forwardFoldScaleAxis', passes.forwardFoldScaleAxis],
  ['backwardFoldScaleAxis', passes.backwardFoldScaleAxis],
  ['foldScaleAxis', passes.foldScaleAxis],
  ['foldScaleAxis as TVM', passes.foldScaleAxis({ tvmOnly: true })],
  ['normalizations, then scales', sequential([passes.simplifyInference, passes.foldScaleAxis])],
  ['optimize 3', optimize({ level: 3 })],
];

/** The allowed rounding error, relative to the size of the result. */
const TOLERANCE = { float32: 1e-4, float64: 1e-11 } as const;

describe('a random network computes the same before and after', () => {
  test.each(PASSES)('%s', (name, pass) => {
    let changed = 0;
    fc.assert(
      fc.property(netPlans, (plan) => {
        const { module, args } = buildNet(plan);
        const { module: result, report } = orThrow(runPass(pass, { level: 3 })(module));
        const [before, after] = [module, result].map((m) => tensors(orThrow(evaluate(m, args))));
        if (passesRun(report).some((p) => /FoldScaleAxis/.test(p.name) && p.changed)) changed++;
        before?.forEach((wanted, at) => {
          const found = after?.[at];
          if (found === undefined) throw new Error(`result ${at} is missing`);
          const { maxRelError, equalNaNs } = compareTensors(found, wanted);
          expect(equalNaNs).toBe(true);
          expect(maxRelError).toBeLessThan(toleranceOf(plan));
        });
      }),
      { seed: SEED, numRuns: RUNS },
    );
    // A property in which no scale moves would show nothing.
    if (/scale/i.test(name)) expect(changed).toBeGreaterThan(RUNS / 20);
  });
});

const toleranceOf = ({ dtype }: NetPlan): number =>
  dtype === 'float64' ? TOLERANCE.float64 : TOLERANCE.float32;

function tensors(value: Value): ReadonlyArray<Tensor> {
  if (value._tag === 'Tensor') return [value];
  if (value._tag !== 'Tuple') throw new Error('a network gives tensors');
  return value.fields.flatMap((field) => (field._tag === 'Tensor' ? [field] : []));
}
