import { mulberry32 } from '@baton/base';
import { describe, expect, it } from 'vitest';
import { handKernels, plain } from '../../src/kernels/index.ts';
import { checkKernel, ENDINGS, FLOATS, type KernelCase } from './run-kernel.ts';

/** A product of random sizes: one in five of a single row, one in eight with a long sum. */
function randomCase(op: string, seed: number): KernelCase {
  const random = mulberry32(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const [m, k, n] = [
    seed % 5 === 0 ? 1 : 1 + below(13),
    1 + below(seed % 8 === 0 ? 2000 : 12),
    1 + below(21),
  ];
  const isTurned = { a: random() < 0.5, b: random() < 0.5 };
  const ending = ENDINGS[seed % ENDINGS.length] as (typeof ENDINGS)[number];
  const common = { op, ending, isWeightConstant: random() < 0.5 };
  if (op === 'nn.dense') {
    return { ...common, data: seed % 3 ? [m, k] : [1 + below(3), m, k], weight: [n, k], attrs: {} };
  }
  const [a, b] = [isTurned.a ? [k, m] : [m, k], isTurned.b ? [n, k] : [k, n]];
  const attrs = { transpose_a: isTurned.a, transpose_b: isTurned.b };
  if (op === 'nn.matmul') return { ...common, data: a, weight: b, attrs };
  const batch = 1 + below(3);
  const batches = [
    [batch, batch],
    [1, batch],
    [batch, 1],
  ][seed % 3] as [number, number];
  return { ...common, data: [batches[0], ...a], weight: [batches[1], ...b], attrs };
}

describe.each(['nn.dense', 'nn.matmul', 'nn.batch_matmul'])('%s', (op) => {
  it.each(FLOATS)(
    'of %s agrees with the reference bit for bit on exact numbers, and touches nothing else',
    (_, inType) => {
      for (let seed = 1; seed <= 200; seed++) checkKernel(inType(randomCase(op, seed)), seed);
    },
  );
});

describe('products', () => {
  it('are cut into blocks of rows, of columns and of terms', () => {
    for (const isWeightConstant of [true, false]) {
      const sizes = { data: [131, 1000], weight: [150, 1000] };
      for (const ending of ENDINGS) {
        const given = { op: 'nn.dense', ...sizes, attrs: {}, ending, isWeightConstant };
        for (const [, inType] of FLOATS) checkKernel(inType(given), 1);
      }
    }
  });

  it('of nothing are left to the reference', () => {
    const common = { attrs: {}, level: 'simd' as const, epilogue: plain, isWeightConstant: true };
    const make = handKernels.get('nn.dense')?.make;
    expect(make?.({ data: [2, 3], weight: [4, 3], out: [2, 4], ...common })).toBeDefined();
    expect(make?.({ data: [2, 0], weight: [4, 0], out: [2, 4], ...common })).toBeUndefined();
  });
});
