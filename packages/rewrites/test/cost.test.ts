import { orThrow, postOrderExprs } from '@baton/ir';
import { inferType, runPass } from '@baton/pass-manager';
import { kernelCount, type NodeCost } from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { program } from './support.ts';

/** The cost of a body that takes `%x`. */
function costOf(body: string, cost: NodeCost): number {
  const m = orThrow(runPass(inferType)(program('%x', body))).module;
  const main = m.functions.get('main');
  return postOrderExprs(main === undefined ? [] : [main.body]).reduce(
    (sum, node) => sum + cost(node, m),
    0,
  );
}

const WEIGHT = 'Constant(2, (2, 3), float32)';

describe('costs', () => {
  it.each([
    ['exp(%x) + %x', 0.02],
    [`nn.relu(nn.dense(%x, ${WEIGHT}))`, 1.01],
    ['sum(transpose(%x))', 1.01],
  ])('kernelCount of %s is %f: what joins a kernel is nearly free', (body, cost) => {
    expect(costOf(body, kernelCount)).toBeCloseTo(cost, 9);
  });
});
