/**
 * Products of integers in compiled code have the bits of the reference: with zero points, scales along
 * channels, and what follows them computed before the sums are stored.
 */
import { mulberry32, orThrow } from '@baton/base';
import { interpreter } from '@baton/executor';
import type { Tensor } from '@baton/tensor';
import { dynamicProduct, INTEGER_PRODUCTS, integerProduct } from '@baton/testing';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 20 });

describe('products of integers', () => {
  it.each(INTEGER_PRODUCTS)('%s has the bits of the reference', (name) => {
    const random = mulberry32(38_002);
    for (let i = 0; i < CALLS; i++) {
      const { module: m, args } = integerProduct(name, random);
      const [wanted, ...found] = [
        interpreter,
        makeWasm({ leastElements: 0, level: 'simd' }),
        makeWasm({ leastElements: 0, isExact: true }),
      ].map((executor) => orThrow(orThrow(executor.prepare(m)).run([...args])) as Tensor);
      const text = orThrow(loweredText(m, { level: 'simd' }));
      expect(text).not.toContain('reference');
      for (const { dtype, shape, data } of found) {
        expect({ dtype, shape, data }, `${name} ${i}\n${text}`).toEqual({
          dtype: wanted?.dtype,
          shape: wanted?.shape,
          data: wanted?.data,
        });
      }
    }
  });

  it('of data whose zero point is computed have the bits of the reference', () => {
    const random = mulberry32(38_003);
    for (let i = 0; i < CALLS; i++) {
      const { module: m, args } = dynamicProduct(random);
      const [wanted, found] = [interpreter, makeWasm({ leastElements: 0, isExact: true })].map(
        (executor) => orThrow(orThrow(executor.prepare(m)).run([...args])),
      ) as [Tensor, Tensor];
      expect(found.data, `${i}`).toEqual(wanted.data);
      expect(orThrow(loweredText(m, { level: 'simd' }))).not.toContain('reference');
    }
  });
});
