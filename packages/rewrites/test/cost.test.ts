import { orThrow, postOrderExprs } from '@baton/ir';
import { inferType, runPass } from '@baton/pass-manager';
import { estimatedSeconds, kernelCount, type NodeCost, roofline } from '@baton/rewrites';
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

describe('the roofline', () => {
  it('of a slice is its own size, whatever it is cut from', () => {
    const cut = (rows: number) =>
      costOf(`take(Constant(2, (${rows}, 2, 3), float32) + %x, 0i64, axis=0)`, roofline());
    const whole = (rows: number) =>
      costOf(`Constant(2, (${rows}, 2, 3), float32) + %x`, roofline());
    expect(cut(1_000) - whole(1_000)).toBe(cut(10) - whole(10));
  });
});

describe('the estimated time of a program', () => {
  const secondsOf = (body: string): number =>
    estimatedSeconds(orThrow(runPass(inferType)(program('%x', body))).module);

  it('is the start of each call, and the bytes or the operations of its work', () => {
    const one = secondsOf('exp(%x)');
    expect(one).toBeGreaterThan(1e-6);
    expect(one).toBeLessThan(1.1e-6);
    expect(secondsOf('exp(exp(%x))')).toBeCloseTo(2 * one, 12);
  });

  it('is free of what constants decide, and counts what two calls share once', () => {
    expect(secondsOf(`nn.dense(%x, ${WEIGHT} + ${WEIGHT})`)).toBe(
      secondsOf(`nn.dense(%x, ${WEIGHT})`),
    );
    expect(secondsOf('let %a = exp(%x); %a + %a')).toBe(secondsOf('exp(%x) + %x'));
  });

  it('counts the body of a kernel', () => {
    expect(secondsOf('(fn (%a, Primitive=1) { exp(%a) })(%x)')).toBe(secondsOf('exp(%x)'));
  });
});
