/**
 * Operators on quantized integers: results of TVM, which `bench/peers/tvm/qnn_calls.py` wrote.
 */
import { readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import type { Attrs } from '@baton/ir';
import { type DType, fromNumbers, isTensor, type Tensor, tensorsEqual } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { evaluateOp, fixedPoint, type OpValue, standardOps } from '../src/index.ts';

interface Numbers {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly data: ReadonlyArray<number>;
}

interface Known {
  readonly name: string;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Numbers | ReadonlyArray<Numbers>>;
  readonly result: Numbers;
}

const cases: ReadonlyArray<Known> = JSON.parse(
  readFileSync(new URL('qnn-of-tvm.json', import.meta.url), 'utf8'),
);

const argument = (arg: Known['args'][number]): OpValue =>
  'data' in arg ? tensorOf(arg) : arg.map(tensorOf);

const tensorOf = ({ data, shape, dtype }: Numbers): Tensor => fromNumbers(data, shape, dtype);

describe('the results of TVM, bit for bit', () => {
  it.each(cases.map((one) => [`${one.name} ${JSON.stringify(one.attrs)}`, one] as const))(
    '%s',
    (_, { name, attrs, args, result }) => {
      const complete = orThrow(standardOps.get(name)?.attrs.decode(attrs) ?? never(name));
      const found = orThrow(evaluateOp(standardOps, name, complete, args.map(argument)));
      expect(isTensor(found) && tensorsEqual(found, tensorOf(result))).toBe(true);
    },
  );

  it('has every qnn operator', () => {
    const named = new Set(cases.map(({ name }) => name));
    expect(standardOps.names.filter((name) => name.startsWith('qnn.') && !named.has(name))).toEqual(
      [],
    );
  });
});

function never(name: string): never {
  throw new Error(`there is no operator ${name}`);
}

describe('a number in fixed point', () => {
  it.each([0.5, 1, 1.5, 2 ** -20, 0.1, 3e-9, 1 - 2 ** -40, 2 ** 20])(
    '%d: a multiplier of 31 bits, to half a unit of its last place',
    (x) => {
      const { multiplier, shift } = fixedPoint(x);
      expect(multiplier).toBeGreaterThanOrEqual(2 ** 30);
      expect(multiplier).toBeLessThan(2 ** 31);
      expect(Math.abs(multiplier - x * 2 ** shift)).toBeLessThanOrEqual(0.5);
    },
  );
});
