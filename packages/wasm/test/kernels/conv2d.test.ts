import { mulberry32 } from '@baton/base';
import { describe, expect, it } from 'vitest';
import { handKernels } from '../../src/kernels/index.ts';
import { checkKernel, ENDINGS, FLOATS, inDoubles, type KernelCase } from './run-kernel.ts';

/** A convolution of random sizes; now and then one with a long sum, or a wide window. */
function randomCase(seed: number): KernelCase {
  const random = mulberry32(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const groups = 1 + below(2);
  const inputs = 1 + below(seed % 16 === 0 ? 400 : 5);
  const kernel = [1 + below(4), 1 + below(seed % 7 === 0 ? 13 : 4)] as const;
  const dilation = [1 + below(2), 1 + below(2)] as const;
  const room = [below(9), below(20)] as const;
  const sizes = [0, 1].map(
    (i) => (dilation[i] as number) * ((kernel[i] as number) - 1) + 1 + (room[i] as number),
  );
  return {
    op: 'nn.conv2d',
    data: [1 + below(2), groups * inputs, ...sizes],
    weight: [groups * (1 + below(9)), inputs, ...kernel],
    attrs: {
      groups,
      dilation,
      strides: [1 + below(3), 1 + below(3)],
      padding: [below(3), below(3), below(3), below(3)],
    },
    isWeightConstant: seed % 4 !== 0,
    ending: ENDINGS[seed % ENDINGS.length] as (typeof ENDINGS)[number],
  };
}

/** A convolution that Winograd's transforms may compute. */
function transformableCase(seed: number): KernelCase {
  const random = mulberry32(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const groups = 1 + below(2);
  const [channels, outputs] = [8 + below(9), 8 + below(9)];
  return {
    op: 'nn.conv2d',
    data: [1 + below(2), groups * channels, 5 + below(16), 5 + below(16)],
    weight: [groups * outputs, channels, 3, 3],
    attrs: { groups, padding: [below(3), below(3), below(3), below(3)] },
    ending: ENDINGS[seed % ENDINGS.length] as (typeof ENDINGS)[number],
    transforms: true,
  };
}

/** A convolution of random sizes in which each channel has weights of its own. */
function depthwiseCase(seed: number): KernelCase {
  const given = randomCase(2 * seed + 1);
  const random = mulberry32(-seed);
  const groups = 2 + Math.floor(random() * 5);
  const [batch = 1, , height = 1, width = 1] = given.data;
  const outputs = groups * (1 + Math.floor(random() * 2));
  return {
    ...given,
    data: [batch, groups, height, width],
    weight: [outputs, 1, ...given.weight.slice(2)],
    attrs: { ...given.attrs, groups },
  };
}

describe('the convolution of two axes', () => {
  it.each(FLOATS)(
    'of %s agrees with the reference bit for bit on exact numbers, and touches nothing else',
    (_, inType) => {
      for (let seed = 1; seed <= 200; seed++) checkKernel(inType(randomCase(seed)), seed);
    },
  );

  it.each([
    [1, 5, [0, 0, 0, 0]],
    [5, 5, [0, 0, 0, 0]],
    [5, 5, [0, 0, 1, 0]],
    [5, 5, [0, 0, 0, 1]],
    [5, 5, [0, 0, 2, 3]],
    [5, 5, [1, 0, 0, 0]],
    [5, 5, [0, 1, 0, 0]],
    [1, 9, [0, 0, 0, 2]],
    [1, 9, [0, 0, 1, 0]],
    [9, 1, [0, 0, 1, 1]],
  ])(
    'does so for windows of one pixel on %i by %i pixels, padded by %j',
    (height, width, padding) => {
      for (const ending of ENDINGS) {
        const weight = [6, 3, 1, 1];
        const data = [2, 3, height, width];
        const given = { op: 'nn.conv2d', data, weight, attrs: { padding }, ending };
        for (const [, inType] of FLOATS) checkKernel(inType(given), 3);
      }
    },
  );

  it('does so where each channel has weights of its own', () => {
    for (let seed = 1; seed <= 200; seed++) {
      for (const [, inType] of FLOATS) checkKernel(inType(depthwiseCase(seed)), seed);
    }
    const attrs = { groups: 3, channels: 6, kernel_size: [3, 3], padding: [1, 1] };
    checkKernel({ op: 'nn.conv2d', data: [2, 3, 9, 9], weight: [3, 2, 3, 3], attrs }, 1);
  });

  it("agrees with the reference within 5e-6 by Winograd's transforms", () => {
    for (let seed = 1; seed <= 60; seed++) {
      checkKernel({ ...transformableCase(seed), tolerance: 5e-6 }, seed);
    }
  });

  it('does so where sums and pixels are cut into blocks', () => {
    const attrs = { padding: [1, 1] };
    const common = { op: 'nn.conv2d', attrs };
    for (const ending of ENDINGS) {
      checkKernel({ ...common, ending, data: [1, 200, 15, 15], weight: [7, 200, 3, 3] }, 1);
      checkKernel({ ...common, ending, data: [1, 2, 190, 190], weight: [3, 2, 3, 3] }, 2);
      checkKernel(
        inDoubles({ ...common, ending, data: [1, 200, 15, 15], weight: [7, 200, 3, 3] }),
        1,
      );
    }
  });

  it('leaves other layouts and empty tensors to the reference', () => {
    const make = handKernels.get('nn.conv2d')?.make;
    const attrs = {
      data_layout: 'NCHW',
      kernel_layout: 'OIHW',
      out_layout: '',
      strides: [1, 1],
      padding: [0, 0],
      dilation: [1, 1],
      groups: 1,
    };
    const site = {
      ...{ data: [1, 3, 5, 5], weight: [4, 3, 3, 3], out: [1, 4, 3, 3], level: 'simd' as const },
      ...{ attrs, epilogue: (ENDINGS[0] as (typeof ENDINGS)[number]).epilogue },
      isWeightConstant: true,
    };
    expect(make?.(site)).toBeDefined();
    expect(make?.({ ...site, attrs: { ...attrs, data_layout: 'NHWC' } })).toBeUndefined();
    expect(make?.({ ...site, data: [0, 3, 5, 5], out: [0, 4, 3, 3] })).toBeUndefined();
    expect(make?.({ ...site, level: 'scalar' })).toBeUndefined();
  });
});
