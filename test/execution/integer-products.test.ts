/**
 * Products of integers in compiled code have the bits of the reference: with zero points, scales along
 * channels, and what follows them computed before the sums are stored.
 */
import { mulberry32, orThrow } from '@baton/base';
import { interpreter } from '@baton/executor';
import type { Tensor } from '@baton/tensor';
import { INTEGER_PRODUCTS, integerProduct } from '@baton/testing';
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

  // As exporters write dynamic quantization: the zero point is known when the data are.
  it('of data whose zero point is computed have the bits of the reference', () => {
    const random = mulberry32(38_003);
    for (let i = 0; i < CALLS; i++) {
      const [rows, depth, units] = [
        between(random, 1, 9),
        between(random, 1, 33),
        1 + below(random, 20),
      ];
      const x = variable('x', tensorType([rows, depth], 'float32'));
      const scaled = call('rint', [call('multiply', [x, real(40)])]);
      const byte = (value: Expr): Expr =>
        cast(call('clip', [value], { a_min: 0, a_max: 255 }), 'uint8');
      const zero = byte(call('rint', [call('negative', [call('min', [scaled])])]));
      const data = byte(call('add', [scaled, cast(zero, 'float32')]));
      const weight = cast(constant(bytes(random, [depth, units], 'int8')), 'int32');
      const centred = call('subtract', [cast(data, 'int32'), cast(zero, 'int32')]);
      // The zero point is stored: another call reads it, too.
      const sums = call('nn.matmul', [centred, weight]);
      const body = call('multiply', [cast(sums, 'float32'), cast(zero, 'float32')]);
      const m = irModule({ ops: standardOps, functions: new Map([['main', func([x], body)]]) });
      const values = Array.from({ length: rows * depth }, () => 4 * random() - 2);
      const [wanted, found] = [interpreter, makeWasm({ leastElements: 0, isExact: true })].map(
        (executor) =>
          orThrow(
            orThrow(executor.prepare(m)).run([fromNumbers(values, [rows, depth], 'float32')]),
          ),
      ) as [Tensor, Tensor];
      expect(found.data, `${i}`).toEqual(wanted.data);
      expect(orThrow(loweredText(m, { level: 'simd' }))).not.toContain('reference');
    }
  });
});
