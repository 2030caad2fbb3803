import { isRight } from '@baton/base';
import { noAttrs } from '@baton/ir';
import { commutes, evaluateOp, formOf, standardOps } from '@baton/ops';
import { tensor, tensorsEqual } from '@baton/tensor';
import { describe, expect, it } from 'vitest';

const specials = [0, -0, 1, -2.5, 3, Number.NaN, Number.POSITIVE_INFINITY, -7];
const grid = specials.flatMap((a) => specials.map((b) => [a, b] as const));

const columns = (['float32', 'int32', 'bool'] as const).map((dtype) => {
  const side = (at: 0 | 1) =>
    tensor(
      grid.map((pair) =>
        dtype === 'float32'
          ? pair[at]
          : dtype === 'bool'
            ? +(pair[at] > 0)
            : Math.trunc(pair[at]) || 0,
      ),
      [grid.length],
      dtype,
    );
  return [side(0), side(1)] as const;
});

const binary = standardOps.names.filter(
  (name) => formOf(standardOps, name, 'Map') && standardOps.get(name)?.inputs.length === 2,
);

describe('operators that commute', () => {
  it('are those whose scalar expression is its own mirror image', () => {
    expect(binary.filter((name) => commutes(standardOps, name))).toEqual([
      'add',
      'bitwise_and',
      'bitwise_or',
      'bitwise_xor',
      'equal',
      'logical_and',
      'logical_or',
      'logical_xor',
      'maximum',
      'minimum',
      'multiply',
      'not_equal',
    ]);
  });

  it.each(binary)('%s gives the same with its arguments exchanged, or does not commute', (name) => {
    const results = columns.flatMap(([a, b]) => {
      const there = evaluateOp(standardOps, name, noAttrs, [a, b]);
      const back = evaluateOp(standardOps, name, noAttrs, [b, a]);
      return isRight(there) && isRight(back) ? [[there.right, back.right] as const] : [];
    });
    const isSame = results.every(([there, back]) => tensorsEqual(there as never, back as never));
    if (standardOps.get(name)?.attrs.fields.length === 0) {
      expect(results.length).toBeGreaterThan(0);
      expect(commutes(standardOps, name)).toBe(isSame);
    }
  });
});
