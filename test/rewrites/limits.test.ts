/** Saturation that ends at its limit of nodes, wherever in a step that is. */
import { orThrow } from '@baton/base';
import { checkEquivalent } from '@baton/equivalence';
import { runPass } from '@baton/pass-manager';
import { algebra, arithmetic, saturate } from '@baton/rewrites';
import { expect, it } from 'vitest';
import { read } from '../golden/read.ts';

/** A constant that is filled with a number. */
const filled = (shape: ReadonlyArray<number>, value: number): string => {
  const data = Array(shape.reduce((size, dim) => size * dim, 1)).fill(value);
  return JSON.stringify({ dtype: 'float32', shape, data });
};

const CONSTANTS = [
  filled([4, 2, 3, 3], 2),
  filled([2, 3, 3], 1),
  filled([4, 1, 1, 1], 1),
  filled([1, 1, 1, 3], 1),
];

const PROGRAM = `def @main(%x: Tensor[(4, 2, 3, 3), float32]) {
  %0 = add(multiply(%x, meta[relay.Constant][1]), meta[relay.Constant][2]);
  multiply(multiply(meta[relay.Constant][0], %0), meta[relay.Constant][3])
}
#[metadata]
{"relay.Constant": [${CONSTANTS.join(', ')}]}`;

// A node that was not added for the limit once gave the next one its facts.
it.each([300, 500, 700, 900, 1000, 1100, 1300])('at %i nodes', (nodeLimit) => {
  const m = read(PROGRAM, 'limits');
  const engine = saturate([arithmetic, algebra], { nodeLimit, iterationLimit: 6 });
  const { module } = orThrow(runPass(engine)(m));
  expect(orThrow(checkEquivalent(m, module)).equivalent).toBe(true);
});
