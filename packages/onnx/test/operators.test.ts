import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import type { GraphParts } from './helpers/encode.ts';
import { imported, refused, summary, table } from './helpers/import.ts';
import { ints, one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

describe('the list of operators', () => {
  test('holds every file', () => {
    const sources = join(import.meta.dirname, '../src');
    const list = readFileSync(join(sources, 'converted.ts'), 'utf8');
    const files = readdirSync(join(sources, 'operators'));
    expect(files.filter((name) => !list.includes(`'./operators/${name}'`))).toEqual([]);
  });
});

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
        'unknown sizes to keep',
        one('MaxPool', { x: [1, 1, 'h', 3] }, { ...kernel, auto_pad: { s: 'SAME_UPPER' } }),
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
        'training',
        one(
          'BatchNormalization',
          { x: image, a: [4], b: [4], c: [4], d: [4] },
          { training_mode: { i: 1 } },
        ),
        'ONNX_UNSUPPORTED',
        { opset: 14 },
      ],
    ]),
  )('$name is refused', ({ graph, expected, options }) => {
    const found = refused(graph, options);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });
});

describe('shapes', () => {
  const S = [
    'newshape',
    'allowzero',
    'axis',
    'num_newaxis',
    'axes',
    'begin',
    'end',
    'strides',
    'keepdims',
  ];
  test.each(
    table<string>([
      [
        'Reshape',
        one('Reshape', { x: [2, 3] }, {}, [ints('s', [0, -1])]),
        'reshape(x, newshape=[0,-1], allowzero=0)',
      ],
      ['Flatten', one('Flatten', { x: [2, 3, 4] }), 'nn.batch_flatten(x)'],
      [
        'Flatten at 0',
        one('Flatten', { x: [2, 3, 4] }, { axis: { i: 0 } }),
        'reshape(x, newshape=[1,24], allowzero=1)',
      ],
      [
        'Flatten behind unknown axes',
        one('Flatten', { x: ['n', 'm', 4] }, { axis: { i: -1 } }),
        'reshape(x, newshape=[-1,4], allowzero=1)',
      ],
      ['Transpose', one('Transpose', { x: [2, 3] }), 'transpose(x, axes=null)'],
      [
        'Unsqueeze before 13',
        one('Unsqueeze', { x: [2, 3] }, { axes: { ints: [3, 0, 1] } }),
        'expand_dims(expand_dims(x, axis=0, num_newaxis=2), axis=3, num_newaxis=1)',
        { opset: 11 },
      ],
      [
        'Unsqueeze',
        one('Unsqueeze', { x: [2] }, {}, [ints('a', [-1])]),
        'expand_dims(x, axis=1, num_newaxis=1)',
      ],
      ['Squeeze', one('Squeeze', { x: [1, 2, 1] }, {}, [ints('a', [-1])]), 'squeeze(x, axis=[-1])'],
      ['Squeeze of all', one('Squeeze', { x: [1, 2, 1] }), 'squeeze(x, axis=null)'],
      ['ReduceMean of all', one('ReduceMean', { x: [2, 3] }), 'mean(x, axis=null, keepdims=true)'],
      [
        'ReduceMean before 18',
        one('ReduceMean', { x: [2, 3] }, { axes: { ints: [-1] }, keepdims: { i: 0 } }),
        'mean(x, axis=[-1], keepdims=false)',
      ],
      [
        'ReduceSum',
        one('ReduceSum', { x: [2, 3] }, {}, [ints('a', [1])]),
        'sum(x, axis=[1], keepdims=true)',
      ],
      [
        'ReduceSum of nothing',
        one('ReduceSum', { x: [2, 3] }, { noop_with_empty_axes: { i: 1 } }),
        'x',
      ],
      ['Shape', one('Shape', { x: [2, 3] }), 'int64(2)[2, 3]'],
      [
        'Shape of a part',
        one('Shape', { x: ['n', 3, 4] }, { start: { i: -2 } }),
        'int64(2)[3, 4]',
        { opset: 15 },
      ],
      [
        'Slice to the end',
        one('Slice', { x: [5, 6] }, {}, [
          ints('s', [-3]),
          ints('e', [2n ** 63n - 1n]),
          ints('a', [1]),
        ]),
        'strided_slice(x, axes=[1], begin=[3], end=[6], strides=[1])',
      ],
      [
        'Slice backwards to the beginning',
        one('Slice', { x: [5] }, {}, [
          ints('s', [-1]),
          ints('e', [-(2n ** 63n)]),
          ints('a', [0]),
          ints('t', [-1]),
        ]),
        'strided_slice(x, axes=[0], begin=[4], end=[-6], strides=[-1])',
      ],
    ]),
  )('$name', ({ graph, expected, options }) => {
    expect(summary(imported(graph, options).body, S)).toBe(expected);
  });

  test.each<readonly [string, GraphParts, string]>([
    [
      'Reshape to a shape that only the run knows',
      one('Reshape', { x: [2], s: [1] }),
      'ONNX_NOT_CONSTANT',
    ],
    ['Reshape to codes of Relay', one('Reshape', { x: [2] }, {}, [ints('s', [-2])]), 'ONNX_SHAPE'],
    [
      'Reshape to another size',
      one('Reshape', { x: [2] }, {}, [ints('s', [3])]),
      'at test: Reshape',
    ],
    [
      'Unsqueeze of one axis twice',
      one('Unsqueeze', { x: [2] }, {}, [ints('a', [0, 0])]),
      'ONNX_AXIS',
    ],
    [
      'Unsqueeze to rank 17',
      one('Unsqueeze', { x: [2] }, {}, [
        ints(
          'a',
          Array.from({ length: 16 }, (_, i) => i),
        ),
      ]),
      'ONNX_RANK',
    ],
    [
      'Reshape to rank 17',
      one('Reshape', { x: [1] }, {}, [ints('a', new Array<number>(17).fill(1))]),
      'ONNX_LIMIT',
    ],
    ['Gather out of range', one('Gather', { x: [2] }, {}, [ints('i', [2])]), 'ONNX_INDEX'],
    ['Concat without axis', one('Concat', { x: [2] }), 'ONNX_ATTRIBUTE'],
    [
      'Slice with a step of 0',
      one('Slice', { x: [5] }, {}, [
        ints('s', [0]),
        ints('e', [1]),
        ints('a', [0]),
        ints('t', [0]),
      ]),
      'ONNX_INPUTS',
    ],
    ['Cast to text', one('Cast', { x: [5] }, { to: { i: 8 } }), 'ONNX_ELEMENT_TYPE'],
    ['Constant without value', one('Constant', {}), 'ONNX_ATTRIBUTE'],
    [
      'MatMul of batches that do not match',
      one('MatMul', { x: [2, 1, 3, 4], z: [3, 1, 4, 5] }),
      'ONNX_SHAPE',
    ],
  ])('%s is refused', (_, graph, expected) => {
    const found = refused(graph);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  test('subgraphs that compute shapes are constants', () => {
    const { body } = imported(
      {
        inputs: [{ name: 'x', dims: ['n', 'm', 8] }],
        initializers: [ints('zero', [0]), ints('one', [1]), ints('rest', [2, 4])],
        nodes: [
          { op: 'Shape', in: ['x'], out: ['s'] },
          { op: 'Gather', in: ['s', 'zero'], out: ['n'] },
          { op: 'Gather', in: ['s', 'one'], out: ['m'] },
          { op: 'Mul', in: ['n', 'm'], out: ['nm'] },
          { op: 'Concat', in: ['nm', 'rest'], out: ['t'], attrs: { axis: { i: 0 } } },
          { op: 'Reshape', in: ['x', 't'] },
        ],
      },
      { dims: { n: 3, m: 5 } },
    );
    expect(summary(body, ['newshape'])).toBe('reshape(x, newshape=[15,2,4])');
  });
});

describe('products', () => {
  test.each<readonly [string, GraphParts, string]>([
    [
      'Gemm with a transposed weight',
      one('Gemm', { a: [2, 3], b: [4, 3], c: [4] }, { transB: { i: 1 } }),
      'nn.bias_add(nn.dense(a, b), c)',
    ],
    [
      'O.4 Gemm with an addend and columns of unknown size, which may be 1 and another',
      one('Gemm', { a: [2, 3], b: ['n', 3], c: ['k'] }, { transB: { i: 1 } }),
      'add(nn.dense(a, b), c)',
    ],
    ['Gemm as it stands', one('Gemm', { a: [2, 3], b: [3, 4] }), 'nn.dense(a, transpose(b))'],
    [
      'Gemm with factors and a matrix to add',
      one(
        'Gemm',
        { a: [3, 2], b: [3, 4], c: [2, 4] },
        { transA: { i: 1 }, alpha: { f: 2 }, beta: { f: 0.5 } },
      ),
      'add(multiply(nn.dense(transpose(a), transpose(b)), float32()[2]), multiply(c, float32()[0.5]))',
    ],
    ['MatMul of matrices', one('MatMul', { a: [2, 3], b: [3, 4] }), 'nn.matmul(a, b)'],
    [
      'MatMul of a batch and a matrix',
      one('MatMul', { a: [5, 2, 3], b: [3, 4] }),
      'nn.matmul(a, b)',
    ],
    ['MatMul of batches', one('MatMul', { a: [5, 2, 3], b: [5, 3, 4] }), 'nn.batch_matmul(a, b)'],
    [
      'MatMul of vectors',
      one('MatMul', { a: [3], b: [3] }),
      'squeeze(nn.matmul(expand_dims(a), expand_dims(b)))',
    ],
  ])('%s', (_, graph, expected) => {
    expect(summary(imported(graph).body)).toBe(expected);
  });
});

describe('O.6 a slice that begins past its end has no elements', () => {
  test.each([
    [4, 1, 1, [5], []],
    [7, 9, 1, [5], []],
    [1, 3, -1, [5], []],
    [-10, -20, -1, [5], [0]],
    [4, 1, 1, ['n'], []],
    [1, 2 ** 62, 2, ['n'], [1, 3]],
  ])('O.6 from %i to %i by %i over %j', (from, to, step, dims, expected) => {
    const lists = [ints('s', [from]), ints('e', [to]), ints('a', [0]), ints('t', [step])];
    const [y] = run(imported(one('Slice', { x: dims }, {}, lists)), [
      tensor([0, 1, 2, 3, 4], [5], 'float32'),
    ]);
    expect(y === undefined ? undefined : Array.from(toNumbers(y))).toEqual(expected);
  });
});

describe('O.3 sizes that pass through floats are known', () => {
  const f32 = (name: string, dims: ReadonlyArray<number>, floats: ReadonlyArray<number>) => ({
    name,
    dims,
    floats,
  });
  const to = (type: number) => ({ to: { i: type } });

  test('O.3 Shape, Gather, Cast, Range, Shape, Expand', () => {
    const graph: GraphParts = {
      nodes: [
        { op: 'Shape', in: ['x'], out: ['s'] },
        { op: 'Gather', in: ['s', 'one'], out: ['w'] },
        { op: 'Cast', in: ['w'], out: ['wf'], attrs: to(1) },
        { op: 'Range', in: ['zero', 'wf', 'step'], out: ['r'] },
        { op: 'Shape', in: ['r'], out: ['rs'] },
        { op: 'Expand', in: ['v', 'rs'] },
      ],
      inputs: [
        { name: 'x', dims: [2, 5] },
        { name: 'v', dims: [1] },
      ],
      initializers: [
        { name: 'one', dims: [], ints: [1] },
        f32('zero', [], [0]),
        f32('step', [], [1]),
      ],
    };
    expect(summary(imported(graph).body, ['shape'])).toBe('broadcast_to(v, shape=[5])');
  });

  test('O.3 Shape, Cast, Mul, Floor, Cast, Resize', () => {
    const graph: GraphParts = {
      nodes: [
        { op: 'Shape', in: ['x'], out: ['s'] },
        { op: 'Cast', in: ['s'], out: ['f'], attrs: to(1) },
        { op: 'Mul', in: ['f', 'scale'], out: ['m'] },
        { op: 'Floor', in: ['m'], out: ['g'] },
        { op: 'Cast', in: ['g'], out: ['size'], attrs: to(7) },
        { op: 'Resize', in: ['x', '', '', 'size'] },
      ],
      inputs: [{ name: 'x', dims: [1, 2, 4, 6] }],
      initializers: [f32('scale', [4], [1, 1, 2, 0.5])],
    };
    expect(summary(imported(graph).body, ['size'])).toBe('image.resize2d(x, size=[8,3])');
  });

  test('O.3 floats of the file stay calls', () => {
    const graph: GraphParts = {
      nodes: [{ op: 'Add', in: ['a', 'b'] }],
      initializers: [f32('a', [1], [1]), f32('b', [1], [2])],
    };
    expect(summary(imported(graph).body)).toBe('add(float32(1)[1], float32(1)[2])');
  });
});

describe('O.8 operator sets up to 28', () => {
  test.each([26, 27, 28])('O.8 operators that %i leaves as they are', (opset) => {
    expect(summary(imported(one('Relu', { x: [2] }), { opset }).body)).toBe('nn.relu(x)');
    expect(refused(one('Celu', { x: [2] }), { opset })).toEqual(['imported']);
  });
  test('O.8 an attribute that Range has since 27', () => {
    const bounds = ['a', 'b', 'c'].map((name) => ints(name, [1])).map((t) => ({ ...t, dims: [] }));
    const range = one('Range', {}, { stash_type: { i: 1 } }, bounds);
    expect(summary(imported(range, { opset: 27 }).body)).toBe('int64(0)[]');
  });
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

describe('behaviour that depends on the version of the operator set', () => {
  const x = tensor(
    Array.from({ length: 12 }, (_, i) => (i * 5) % 7),
    [2, 3, 2],
    'float32',
  );

  test('Softmax runs over all axes from 1 on before 13, and over the last axis since', () => {
    const rows = (opset: number): ReadonlyArray<number> => {
      const [y] = run(imported(one('Softmax', { x: [2, 3, 2] }), { opset }), [x]);
      return y === undefined ? [] : Array.from(toNumbers(y));
    };
    const sum = (values: ReadonlyArray<number>): number => values.reduce((a, b) => a + b, 0);
    expect(sum(rows(9))).toBeCloseTo(2, 5);
    expect(sum(rows(9).slice(0, 6))).toBeCloseTo(1, 5);
    expect(sum(rows(13))).toBeCloseTo(6, 5);
    expect(sum(rows(13).slice(0, 2))).toBeCloseTo(1, 5);
  });

  test('Softmax before 13 needs no reshape where one axis is left', () => {
    const before = { opset: 9 };
    expect(summary(imported(one('Softmax', { x: [2, 3] }), before).body, ['axis'])).toBe(
      'nn.softmax(x, axis=1)',
    );
    expect(summary(imported(one('Softmax', { x: ['n', 3, 1, 1] }), before).body, ['axis'])).toBe(
      'nn.softmax(x, axis=1)',
    );
  });

  test('the axes of Unsqueeze and the bounds of Clip become inputs', () => {
    const clip6 = one('Clip', { x: [2] }, { min: { f: 0 }, max: { f: 6 } });
    expect(summary(imported(clip6, { opset: 6 }).body, ['a_min', 'a_max'])).toBe(
      'clip(x, a_min=0, a_max=6)',
    );
    const bound = { name: 'low', dims: [], floats: [-1] };
    expect(summary(imported(one('Clip', { x: [2] }, {}, [bound])).body)).toBe(
      'maximum(x, float32()[-1])',
    );
  });
});
