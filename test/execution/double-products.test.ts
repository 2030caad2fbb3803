/**
 * Products of float64 in compiled code agree with the reference, with what follows them computed before the
 * sums are stored.
 */
import { mulberry32, orThrow } from '@baton/base';
import { interpreter, type Value } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { compareTensors, type Tensor } from '@baton/tensor';
import { doubleProduct, FLOAT_PRODUCTS, leavesOf } from '@baton/testing';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 20 });

/** The largest error of a sum in another order, in parts of an element or of the root mean square. */
const LARGEST_ERROR = 1e-12;

const near = makeWasm({ leastElements: 0 });
const simd = makeWasm({ leastElements: 0, level: 'simd' });
const exact = makeWasm({ leastElements: 0, isExact: true });

const resultsOn = (
  executor: typeof near,
  m: IRModule,
  args: ReadonlyArray<Value>,
): ReadonlyArray<Tensor> => leavesOf(orThrow(orThrow(executor.prepare(m)).run([...args])));

/** The largest error of results; infinite if they have other NaNs. */
const errorOf = (found: ReadonlyArray<Tensor>, wanted: ReadonlyArray<Tensor>): number =>
  Math.max(
    ...wanted.map((tensor, i) => {
      const { equalNaNs, maxRelError } = compareTensors(found[i] as Tensor, tensor);
      return equalNaNs ? maxRelError : Number.POSITIVE_INFINITY;
    }),
  );

describe('products of float64', () => {
  it.each(FLOAT_PRODUCTS)('%s agree with the reference, without its kernel', (kind) => {
    const random = mulberry32(38_640);
    for (let i = 0; i < CALLS; i++) {
      const { module: m, args } = doubleProduct(kind, random);
      const text = orThrow(loweredText(m, { level: 'simd' }));
      expect(text).not.toContain('reference');
      const [wanted, ...found] = [interpreter, near, simd].map((executor) =>
        resultsOn(executor, m, args),
      );
      for (const results of found) {
        expect(errorOf(results, wanted ?? []), `${kind} ${i}\n${text}`).toBeLessThan(LARGEST_ERROR);
      }
      expect(resultsOn(exact, m, args)).toEqual(wanted);
    }
  });
});
