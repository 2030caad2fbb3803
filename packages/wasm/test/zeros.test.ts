/** Which results are never −0: the claim must hold for all numbers, and is made where code is shorter for it. */
import type { NodeName, Scalar } from '@baton/ops';
import { describe, expect, it } from 'vitest';
import { isNeverMinusZero } from '../src/generate/zeros.ts';

const constant = (value: number): Scalar => ({ _tag: 'Constant', value });
const [x, y]: ReadonlyArray<Scalar> = [
  { _tag: 'Argument', name: 'x' },
  { _tag: 'Argument', name: 'y' },
];

const claimOf = (name: NodeName, args: ReadonlyArray<Scalar | undefined>, known = ''): boolean =>
  isNeverMinusZero({ _tag: 'Operation', name, args: args as ReadonlyArray<Scalar> }, (i) =>
    known.includes('xy'[i] ?? '?'),
  );

describe('a result that is never −0', () => {
  it.each<[boolean, NodeName, ReadonlyArray<Scalar | undefined>, string?]>([
    [true, 'abs', [x]],
    [true, 'exp', [x]],
    [false, 'neg', [x], 'x'],
    [true, 'add', [x, constant(1)]],
    [true, 'add', [constant(-1), x]],
    [true, 'add', [x, constant(2 ** -100)]],
    [false, 'add', [x, constant(2 ** -101)]],
    [false, 'add', [x, y], 'xy'],
    [true, 'sub', [x, constant(1)]],
    [false, 'sub', [x, constant(0)]],
    [false, 'mul', [x, constant(1)], 'x'],
    [true, 'max', [x, constant(0)]],
    [true, 'max', [constant(0), x]],
    [true, 'max', [x, constant(3)]],
    [false, 'max', [x, constant(-0)]],
    [false, 'max', [x, constant(-1)]],
    [true, 'max', [x, y], 'xy'],
    [false, 'max', [x, y], 'x'],
    [false, 'max', [x, y], 'y'],
    [true, 'min', [x, y], 'xy'],
    [false, 'min', [x, y], 'x'],
    [false, 'min', [x, y], 'y'],
  ])('%s: %s of %j, of which never −0: %s', (claim, name, args, known = '') => {
    expect(claimOf(name, args, known)).toBe(claim);
  });
});
