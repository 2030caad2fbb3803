/** Operators against results of TVM, which `bench/peers/tvm/operator_calls.py` wrote. */
import { readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import type { Attrs } from '@baton/ir';
import {
  allClose,
  bigsToStorage,
  type DType,
  describeTensor,
  fromNumbers,
  isBig,
  isTensor,
  type Tensor,
  tensor,
} from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { evaluateOp, standardOps } from '../src/index.ts';

/** 64-bit integers, NaN and the infinities are texts. */
interface Numbers {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
  readonly data: ReadonlyArray<number | string>;
}

interface Known {
  readonly name: string;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Numbers>;
  readonly results: ReadonlyArray<Numbers>;
}

const cases: ReadonlyArray<Known> = JSON.parse(
  readFileSync(new URL('operators-of-tvm.json', import.meta.url), 'utf8'),
);

const SPECIAL: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

const tensorOf = ({ data, shape, dtype }: Numbers): Tensor =>
  isBig(dtype)
    ? tensor(bigsToStorage(data.map(BigInt), dtype), shape, dtype)
    : fromNumbers(
        data.map((v) => (typeof v === 'number' ? v : (SPECIAL[v] ?? Number(v)))),
        shape,
        dtype,
      );

describe('the results of TVM', () => {
  it.each(cases.map((one) => [`${one.name} ${JSON.stringify(one.attrs)}`, one] as const))(
    '%s',
    (_, { name, attrs, args, results }) => {
      const complete = orThrow(standardOps.get(name)?.attrs.decode(attrs) ?? never(name));
      const value = orThrow(evaluateOp(standardOps, name, complete, args.map(tensorOf)));
      const found = isTensor(value) ? [value] : value;
      expect(found).toHaveLength(results.length);
      for (const [i, wanted] of results.entries()) {
        const one = found[i];
        if (one === undefined || !isTensor(one)) never(name);
        expect({ shape: one.shape, dtype: one.dtype }).toEqual({
          shape: wanted.shape,
          dtype: wanted.dtype,
        });
        const isClose = allClose(one, tensorOf(wanted), { rtol: 1e-5, atol: 4e-5 });
        expect(isClose, `result ${i}: ${describeTensor(one)}`).toBe(true);
      }
    },
  );
});

function never(name: string): never {
  throw new Error(`there is no operator ${name} of this form`);
}
