/** Constants and products that leave the range of their type: no pass makes them. */
import { describe, expect, it } from 'vitest';
import { expectKept, valuesOf, WAYS } from './values.ts';

const of = (dtype: string, body: string): string =>
  `def @main(%x: Tensor[(4), ${dtype}]) { ${body} }`;
const vector = (value: number, dtype: string): string => `Constant(${value}, (2), ${dtype})`;
const dense = (dtype: string, weight: number, around: (dense: string) => string): string =>
  `def @main(%x: Tensor[(1, 2), ${dtype}]) { ${around(`Constant(${weight}, (2, 2), ${dtype})`)} }`;

/** Programs, arguments on which results are finite, and the share by which results may differ. */
const PROGRAMS: Readonly<Record<string, readonly [string, ReadonlyArray<number>, number?]>> = {
  'x / 1e-5 in float16': [of('float16', '%x / 1e-05f16'), [1e-5, 2e-3, 0.1, -0.3]],
  'a quotient used twice': [
    of('float16', 'let %q = %x / 1e-05f16; (%q * 2f16, %q * 3f16)'),
    [1e-5, 2e-3, 0.1, -0.2],
  ],
  'x / 1e-40': [of('float32', '%x / 1e-40f'), [1e-30, 2e-35, 0, -1e-28]],
  'x / 3e38': [of('float32', '%x / 3e38f * 1e38f'), [1, 2, 0.3, -1]],
  'x / 65504': [of('float16', '%x / 65504f16 * 255.9f16'), [1000, 2000, 3000, -4000], 2 ** -9],
  'x (x n)': [of('float16', '%x * (%x * 0.001f16)'), [1, 200, 300, 1000]],
  '(x n) x': [of('float16', '(%x * 0.5f16) * %x'), [1, 200, 300, -1]],
  'x (x n) in float32': [of('float32', '%x * (%x * 1e-20f)'), [1, 1e15, 3e25, -1e10]],
  '(x c) d that overflow': [of('float16', '%x * 300f16 * 300f16'), [1e-4, 1e-3, 0.1, 0]],
  '(x c) d that vanish': [of('float16', '%x * 1e-3f16 * 1e-4f16'), [1000, 20000, 30000, 500]],
  '(x c) d with few digits': [of('float16', '%x * 1e-3f16 * 5e-2f16'), [1000, 20000, 30000, 500]],
  '(x + c) d': [of('float16', '(%x + 1000f16) * 100f16'), [-1000, -900, -999, -700]],
  '(x + c) + d that overflow': [
    of('float16', '%x + 60000f16 + 60000f16'),
    [-65504, -61000, -60000, -64000],
  ],
  'x y + x z': [of('float16', '%x * 60000f16 + %x * 60000f16'), [0.1, 0.2, 0.5, -0.3], 2 ** -9],
  'a quadratic form': [
    of('float16', 'let %y = %x + 1f16; 0.001f16 * %x * %x + %x * %y + 0.1f16 * %y * %y'),
    [1, 150, 100, -120],
    2 ** -7,
  ],
  'a scale into a weight, too large': [
    dense('float16', 300, (w) => `nn.dense(%x, ${w}) * ${vector(300, 'float16')}`),
    [1e-5, 1e-5],
  ],
  'a scale of data into a weight, too large': [
    dense('float16', 300, (w) => `nn.dense(%x * ${vector(300, 'float16')}, ${w})`),
    [1e-5, 1e-5],
  ],
  'a scale into a weight, too small': [
    dense('float16', 1e-4, (w) => `nn.dense(%x, ${w}) * ${vector(1e-3, 'float16')}`),
    [3e4, 3e4],
  ],
  'a scale into a weight in float32, too large': [
    dense('float32', 1e30, (w) => `nn.dense(%x * ${vector(1e30, 'float32')}, ${w})`),
    [1e-38, 1e-38],
    1e-5,
  ],
  'a scale past a sum': [
    dense(
      'float16',
      1,
      (w) => `(nn.dense(%x, ${w}) + ${vector(-6000, 'float16')}) * ${vector(100, 'float16')}`,
    ),
    [3000, 3000],
  ],
  'a bias divided by a small scale': [
    dense(
      'float16',
      1,
      (w) => `nn.dense(%x * ${vector(1e-3, 'float16')} + ${vector(100, 'float16')}, ${w})`,
    ),
    [1, 2],
  ],
};

describe.each(Object.keys(WAYS))('%s', (name) => {
  it.each(Object.entries(PROGRAMS))('W4: stays in range: %s', (_, [text, x, tolerance]) => {
    const way = WAYS[name];
    if (way === undefined) throw new Error(name);
    expect(valuesOf(text, x).every((value) => Number.isFinite(Number(value)))).toBe(true);
    expectKept(text, x, way, tolerance);
  });
});

/** Kernels that compute in a wider type than their tensors, on values whose squares leave the range. */
const KERNELS: Readonly<Record<string, readonly [string, ReadonlyArray<number>]>> = {
  l2_normalize: ['nn.l2_normalize(%x, eps=1e-10, axis=[1])', [300, 400, 30000, 40000]],
  'l2_normalize of small numbers': [
    'nn.l2_normalize(%x, eps=1e-10, axis=[1])',
    [3e-4, 4e-4, 3e-5, 4e-5],
  ],
  layer_norm: ['nn.layer_norm(%x, %o, %z)', [300, -400, 30000, -20000]],
  'layer_norm of small numbers': [
    'nn.layer_norm(%x, %o, %z, epsilon=1e-10)',
    [1e-4, 2e-4, 1e-3, 3e-3],
  ],
  instance_norm: [
    'reshape(nn.instance_norm(reshape(%x, newshape=[1, 2, 2]), %o, %z), newshape=[2, 2])',
    [300, -400, 30000, -20000],
  ],
  group_norm: [
    'reshape(nn.group_norm(reshape(%x, newshape=[1, 2, 2]), %o, %z, num_groups=2), newshape=[2, 2])',
    [300, -400, 30000, -20000],
  ],
  batch_norm: ['nn.batch_norm(%x, %o, %z, %m, %z, epsilon=1e-5).0', [1000, 1000, 1000.5, 999.5]],
  variance: [
    'variance(%x, mean(%x, axis=[1], keepdims=True), axis=[1], keepdims=True)',
    [100, -100, 200, -150],
  ],
};

describe.each(['greedy', 'saturate', 'level 3', 'simplifyInference'])('%s', (name) => {
  it.each(
    ['float16', 'bfloat16'].flatMap((dtype) =>
      Object.entries(KERNELS).map(([kernel, [body, x]]) => [dtype, kernel, body, x] as const),
    ),
  )('W6: keeps the accuracy of the kernel in %s: %s', (dtype, _, body, x) => {
    const given = Object.entries({ '%o': 1, '%z': 0, '%m': 1000 }).reduce(
      (text, [hole, value]) => text.replaceAll(hole, `Constant(${value}, (2), ${dtype})`),
      body,
    );
    const way = WAYS[name];
    if (way === undefined) throw new Error(name);
    expectKept(`def @main(%x: Tensor[(2, 2), ${dtype}]) { ${given} }`, x, way);
  });
});
