/**
 * Products of weights of few bits in blocks agree with the reference in compiled code: for few rows of
 * data, where integers are multiplied, and for many, where the weight becomes floats.
 */
import { mulberry32, orThrow } from '@baton/base';
import { interpreter } from '@baton/executor';
import type { Tensor } from '@baton/tensor';
import { type BlockSite, blockProduct, randomBlockSite } from '@baton/testing';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 30 });

/** The greatest difference, in parts of the greatest element. */
function errorOf(found: Tensor, wanted: Tensor): number {
  const [a, b] = [found.data as Float32Array, wanted.data as Float32Array];
  const most = b.reduce((sum, x) => Math.max(sum, Math.abs(x)), 0);
  return a.reduce((sum, x, i) => Math.max(sum, Math.abs(x - (b[i] as number))), 0) / (most || 1);
}

describe('products of weights in blocks', () => {
  it('agree with the reference', () => {
    const random = mulberry32(38);
    for (let i = 0; i < CALLS; i++) {
      const site = randomBlockSite(random);
      const { module, args } = blockProduct(random, site);
      const [wanted, found] = [interpreter, makeWasm({ leastElements: 1 })].map(
        (executor) => orThrow(orThrow(executor.prepare(module)).run(args)) as Tensor,
      ) as [Tensor, Tensor];
      expect(errorOf(found, wanted), JSON.stringify(site)).toBeLessThan(3e-6);
      expect(orThrow(loweredText(module))).toMatch(/nn.dense_nbits\(.* by hand/);
    }
  });

  it('store no floats for the weight, and pack none ahead', () => {
    const site: BlockSite = {
      ...{ rows: 1, depth: 768, units: 512, bits: 4, bytes: 16 },
      ...{ hasOneZero: true, isWeightConstant: true },
    };
    const { module } = blockProduct(mulberry32(1), site);
    const [, bytes = 'no constants'] =
      /constants of (\d+) bytes/.exec(orThrow(loweredText(module, { level: 'simd' }))) ?? [];
    const [weight, scales] = [(768 * 512) / 2, (4 * 768 * 512) / 32];
    expect(Number(bytes)).toBeLessThan(weight + scales + 4 * 512 + 1024);
  });

  it('give NaN for rows with NaN or an infinite element', () => {
    const site: BlockSite = {
      ...{ rows: 2, depth: 40, units: 8, bits: 4, bytes: 16 },
      ...{ hasOneZero: false, isWeightConstant: true },
    };
    for (const extreme of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const { module, args } = blockProduct(mulberry32(2), site);
      const [data] = args as [Tensor];
      (data.data as Float32Array)[3] = extreme;
      const executable = orThrow(makeWasm({ leastElements: 1 }).prepare(module));
      const values = [...((orThrow(executable.run(args)) as Tensor).data as Float32Array)];
      expect(values.slice(0, 8).every(Number.isNaN)).toBe(true);
      expect(values.slice(8).some(Number.isNaN)).toBe(false);
    }
  });
});
