/** The times of compiled kernels. */
import { timedKernels } from '@baton/wasm/checked';
import { evaluate, makeWasm, models, optimize, orThrow, runPass, tensor } from 'batonjs';
import { expect, it } from 'vitest';

const mlp = orThrow(runPass(optimize({ level: 3 }))(models.mlp({ hidden: [8], inputs: 4 }))).module;
const input = tensor([1, 2, 3, 4], [1, 4], 'float32');

it('has each kernel of a program in the order of its runs, and changes no value', () => {
  let time = 0;
  const { checks, kernels } = timedKernels(() => time++);
  const timed = orThrow(makeWasm({ checks }).prepare(mlp));
  const first = orThrow(timed.run([input]));
  expect(orThrow(timed.run([input]))).toEqual(first);
  expect(first).toEqual(orThrow(evaluate(mlp, [input], { executor: makeWasm() })));
  expect(kernels().map(({ name }) => name)).toContain('nn.dense');
  // The clock counts its own calls: each kernel of each run has one tick.
  for (const { ms, runs } of kernels()) expect([ms, runs]).toEqual([2, 2]);
});
