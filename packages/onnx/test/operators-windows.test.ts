import { tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { imported, refused, summary, table } from './helpers/import.ts';
import { one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

const image = [1, 4, 6, 5];
const W = [
  'strides',
  'padding',
  'dilation',
  'groups',
  'channels',
  'kernel_size',
  'pool_size',
  'ceil_mode',
  'count_include_pad',
  'axis',
];

describe('convolutions and pools', () => {
  const kernel = { kernel_shape: { ints: [3, 3] } };
  test.each(
    table<string>([
      [
        'a convolution with bias',
        one(
          'Conv',
          { x: image, w: [6, 2, 3, 3], b: [6] },
          { group: { i: 2 }, pads: { ints: [1, 2, 3, 4] } },
        ),
        'nn.bias_add(nn.conv2d(x, w, strides=[1,1], padding=[1,2,3,4], dilation=[1,1], groups=2, channels=6, kernel_size=[3,3]), b, axis=1)',
      ],
      [
        'a convolution over one axis',
        one(
          'Conv',
          { x: [1, 2, 9], w: [3, 2, 3] },
          { strides: { ints: [2] }, dilations: { ints: [2] } },
        ),
        'nn.conv1d(x, w, strides=[2], padding=[0,0], dilation=[2], groups=1, channels=3, kernel_size=[3])',
      ],
      [
        'padding that keeps the size, its odd part behind',
        one('Conv', { x: image, w: [4, 4, 2, 3] }, { auto_pad: { s: 'SAME_UPPER' } }),
        'nn.conv2d(x, w, strides=[1,1], padding=[0,1,1,1], dilation=[1,1], groups=1, channels=4, kernel_size=[2,3])',
      ],
      [
        'padding that keeps the size, its odd part in front',
        one('Conv', { x: image, w: [4, 4, 2, 3] }, { auto_pad: { s: 'SAME_LOWER' } }),
        'nn.conv2d(x, w, strides=[1,1], padding=[1,1,0,1], dilation=[1,1], groups=1, channels=4, kernel_size=[2,3])',
      ],
      [
        'no padding by name',
        one('MaxPool', { x: image }, { ...kernel, auto_pad: { s: 'VALID' } }),
        'nn.max_pool2d(x, strides=[1,1], padding=[0,0,0,0], dilation=[1,1], pool_size=[3,3], ceil_mode=false)',
      ],
      [
        'a pool that rounds up',
        one('MaxPool', { x: image }, { ...kernel, strides: { ints: [2, 2] }, ceil_mode: { i: 1 } }),
        'nn.max_pool2d(x, strides=[2,2], padding=[0,0,0,0], dilation=[1,1], pool_size=[3,3], ceil_mode=true)',
      ],
      [
        'a pool that rounds up, but not to a window in the padding alone',
        one(
          'MaxPool',
          { x: [1, 1, 4, 4] },
          {
            kernel_shape: { ints: [2, 2] },
            strides: { ints: [3, 3] },
            pads: { ints: [0, 0, 1, 1] },
            ceil_mode: { i: 1 },
          },
        ),
        'nn.max_pool2d(x, strides=[3,3], padding=[0,0,1,1], dilation=[1,1], pool_size=[2,2], ceil_mode=true)',
      ],
      [
        'a window in the padding alone is dropped',
        one(
          'MaxPool',
          { x: [1, 1, 3, 4] },
          {
            kernel_shape: { ints: [2, 2] },
            strides: { ints: [3, 3] },
            pads: { ints: [0, 0, 1, 1] },
            ceil_mode: { i: 1 },
          },
        ),
        'nn.max_pool2d(x, strides=[3,3], padding=[0,0,0,1], dilation=[1,1], pool_size=[2,2], ceil_mode=false)',
      ],
      [
        'a mean that counts the padding',
        one(
          'AveragePool',
          { x: image },
          { ...kernel, count_include_pad: { i: 1 }, pads: { ints: [1, 1, 1, 1] } },
        ),
        'nn.avg_pool2d(x, strides=[1,1], padding=[1,1,1,1], dilation=[1,1], pool_size=[3,3], ceil_mode=false, count_include_pad=true)',
      ],
      [
        'a mean that counts the padding and rounds up, but not to a window in the padding alone',
        one(
          'AveragePool',
          { x: [1, 1, 3, 4] },
          {
            kernel_shape: { ints: [2, 3] },
            strides: { ints: [3, 3] },
            pads: { ints: [0, 0, 1, 1] },
            count_include_pad: { i: 1 },
            ceil_mode: { i: 1 },
          },
        ),
        'nn.avg_pool2d(nn.pad(x, float32()[0]), strides=[3,3], padding=[0,0,0,1], dilation=[1,1], pool_size=[2,3], ceil_mode=false, count_include_pad=false)',
      ],
      ['a global mean', one('GlobalAveragePool', { x: image }), 'nn.global_avg_pool2d(x)'],
      [
        'a global mean over one axis',
        one('GlobalAveragePool', { x: [1, 2, 3] }),
        'mean(x, axis=[2])',
      ],
      [
        'normalization by statistics',
        one(
          'BatchNormalization',
          { x: image, a: [4], b: [4], c: [4], d: [4] },
          { epsilon: { f: 0.5 } },
        ),
        'nn.batch_norm(x, a, b, c, d, axis=1).0',
      ],
      ['dropout', one('Dropout', { x: [2] }), 'nn.dropout(x).0'],
    ]),
  )('$name', ({ graph, expected, options }) => {
    expect(summary(imported(graph, options).body, W)).toBe(expected);
  });

  test.each(
    table<string>([
      [
        'a kernel of another size',
        one('Conv', { x: image, w: [4, 4, 3, 3] }, { kernel_shape: { ints: [5, 5] } }),
        'kernel_shape',
      ],
      ['a weight of another rank', one('Conv', { x: image, w: [4, 4, 3] }), 'ONNX_RANK'],
      [
        'a stride of 0',
        one('MaxPool', { x: image }, { ...kernel, strides: { ints: [0, 1] } }),
        'strides',
      ],
      [
        'negative padding',
        one('MaxPool', { x: image }, { ...kernel, pads: { ints: [0, 0, -1, 0] } }),
        'pads',
      ],
      [
        'too few paddings',
        one('MaxPool', { x: image }, { ...kernel, pads: { ints: [0, 0] } }),
        'pads',
      ],
      ['no kernel', one('MaxPool', { x: image }), 'kernel_shape'],
      [
        'an unknown auto_pad',
        one('MaxPool', { x: image }, { ...kernel, auto_pad: { s: 'SOME' } }),
        'auto_pad',
      ],
      [
        'a weight of unknown size',
        one('ConvTranspose', { x: [1, 1, 4, 3], w: [1, 1, 'h', 2] }),
        'ONNX_NOT_CONSTANT',
      ],
      ['no spatial axes', one('MaxPool', { x: [1, 1] }, kernel), 'ONNX_RANK'],
      [
        'groups that do not divide',
        one('Conv', { x: image, w: [4, 4, 3, 3] }, { group: { i: 3 } }),
        'at test: Conv',
      ],
      [
        'no group',
        one('Conv', { x: image, w: [4, 4, 3, 3] }, { group: { i: 0 } }),
        'ONNX_ATTRIBUTE',
      ],
      [
        'statistics of each activation',
        one(
          'BatchNormalization',
          { x: image, a: [4], b: [4], c: [4], d: [4] },
          { spatial: { i: 0 } },
        ),
        'ONNX_UNSUPPORTED',
        { opset: 7 },
      ],
    ]),
  )('$name is refused', ({ graph, expected, options }) => {
    const found = refused(graph, options);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });
});

test('batch normalization in training takes the statistics of the batch, which the running ones follow', () => {
  const names = ['x', 'scale', 'bias', 'mean', 'variance'];
  const graph = {
    nodes: [
      {
        op: 'BatchNormalization',
        in: names,
        out: ['y', 'm', 'v'],
        attrs: { training_mode: { i: 1 }, momentum: { f: 0.75 }, epsilon: { f: 0 } },
      },
    ],
    inputs: names.map((name) => ({ name, dims: name === 'x' ? [2, 2, 1] : [2] })),
    outputs: ['y', 'm', 'v'],
  };
  const f = imported(graph, { opset: 15 });
  const vectors = [
    [1, 2],
    [0, 10],
    [8, 4],
    [4, 8],
  ].map((numbers) => tensor(numbers, [2], 'float32'));
  const results = run(f, [tensor([1, 5, 3, 9], [2, 2, 1], 'float32'), ...vectors]);
  expect(results.map((t) => [...toNumbers(t)])).toEqual([
    [-1, 8, 1, 12],
    [6.5, 4.75],
    [3.25, 7],
  ]);
});

describe('O.1 a pool that rounds up drops the window that begins behind data of any size', () => {
  const x = tensor([1, 2, 3, 4], [1, 1, 2, 2], 'float32');
  test.each([
    ['MaxPool', 0, 1],
    ['AveragePool', 0, 1],
    ['AveragePool', 1, 1],
    ['LpPool', 0, 1],
  ])('%s, with padding counted: %i', (op, count, expected) => {
    const attrs = {
      kernel_shape: { ints: [1, 1] },
      strides: { ints: [2, 2] },
      ceil_mode: { i: 1 },
      ...(op === 'AveragePool' ? { count_include_pad: { i: count } } : {}),
    };
    const f = imported(one(op, { x: [1, 1, 'h', 'w'] }, attrs), { opset: 18 });
    const [y] = run(f, [x]);
    expect(y?.shape).toEqual([1, 1, 1, 1]);
    expect(y === undefined ? [] : Array.from(toNumbers(y))).toEqual([expected]);
  });
});
