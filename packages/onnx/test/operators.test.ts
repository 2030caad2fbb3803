import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Tensor, tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { chapterRows } from '../src/catalogue.ts';
import { operatorKey } from '../src/operator-api/importer.ts';
import type { GraphParts } from './helpers/encode.ts';
import { imported, refused, summary } from './helpers/import.ts';
import { ints, one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

describe('the catalogue', () => {
  const sources = join(import.meta.dirname, '../src');
  const files = readdirSync(join(sources, 'chapters'), { recursive: true })
    .map(String)
    .filter((name) => / Chapter = \[/.test(textAt(join(sources, 'chapters', name))));

  test('has every chapter', () => {
    const catalogue = textAt(join(sources, 'catalogue.ts'));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => !catalogue.includes(`'./chapters/${name}'`))).toEqual([]);
  });

  test('has no operator twice', () => {
    const keys = chapterRows.map((row) =>
      'opType' in row ? operatorKey(row.domain ?? '', row.opType) : row.op,
    );
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    expect(keys.length).toBeGreaterThan(300);
  });
});

function textAt(path: string): string {
  return path.endsWith('.ts') ? readFileSync(path, 'utf8') : '';
}

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

describe('ReduceLogSumExp of infinities is what exp and log say (S17)', () => {
  const [inf, nan] = [Number.POSITIVE_INFINITY, Number.NaN];
  test.each([
    [[inf, 1], inf],
    [[inf, inf], inf],
    [[-inf, -inf], -inf],
    [[-inf, 2], 2],
    [[-inf, inf], inf],
    [[nan, inf], nan],
    [[nan, 1], nan],
    [[3e38, 3e38], Math.fround(3e38)],
    [[0, 0], Math.fround(Math.log(2))],
    [[-3e38], Math.fround(-3e38)],
  ])('%j is %j', (numbers, expected) => {
    const graph = one('ReduceLogSumExp', { x: [numbers.length] }, { keepdims: { i: 0 } });
    const x = tensor(numbers, [numbers.length], 'float32');
    expect(run(imported(graph), [x]).map((t) => [...toNumbers(t)])).toEqual([[expected]]);
  });
});

test('Softplus and Mish of a negative number keep the digits that 1 + eˣ loses', () => {
  const numbers = [-80, -40, -20, -11.38, -5, -1, -1e-3, 0, 2, 80];
  const softplus = numbers.map((x) => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(x, 0));
  const mish = numbers.map((x, i) => x * Math.tanh(softplus[i] as number));
  for (const [op, expected] of [
    ['Softplus', softplus],
    ['Mish', mish],
  ] as const) {
    const graph = imported(one(op, { x: [numbers.length] }), { opset: 22 });
    const [found] = run(graph, [tensor(numbers, [numbers.length], 'float32')]);
    const errors = [...toNumbers(found as Tensor)].map((y, i) => {
      const exact = expected[i] as number;
      return exact === 0 ? y : y / exact - 1;
    });
    expect(Math.max(...errors.map(Math.abs)), op).toBeLessThan(1e-6);
  }
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
