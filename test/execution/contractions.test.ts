/**
 * Contractions that no kernel computes as they are: einsum, convolutions of one axis, and those in other
 * layouts become products of matrices and convolutions that have kernels.
 */
import { orThrow } from '@baton/base';
import { interpreter } from '@baton/executor';
import { type Tensor, tensor } from '@baton/tensor';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { parse } from './support.ts';

type Shape = ReadonlyArray<number>;

const typeOf = (shape: Shape): string => `Tensor[(${shape.join(', ')}), float32]`;

const numbers = (shape: Shape): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1);
  const values = Float32Array.from({ length: count }, (_, i) => 2 * Math.sin(i * 1.7));
  return tensor(values, [...shape], 'float32');
};

const CASES: ReadonlyArray<readonly [text: string, x: Shape, w: Shape, kernel: string]> = [
  ['nn.conv1d(%x, %w, padding=[1, 1])', [2, 6, 17], [5, 6, 3], 'nn.conv2d'],
  [
    'nn.conv1d(%x, %w, strides=[2], dilation=[2], padding=[2, 1], groups=2)',
    [2, 6, 17],
    [4, 3, 3],
    'nn.conv2d',
  ],
  [
    'nn.relu(nn.conv1d(%x, %w, data_layout="NWC", kernel_layout="WIO"))',
    [2, 17, 6],
    [3, 6, 5],
    'nn.conv2d',
  ],
  [
    'nn.bias_add(nn.conv1d(%x, %w), Constant(0.5f, (5), float32))',
    [1, 6, 17],
    [5, 6, 3],
    'nn.conv2d',
  ],
  [
    'nn.conv2d(%x, %w, padding=[1, 1], data_layout="NHWC", kernel_layout="HWIO")',
    [1, 9, 7, 6],
    [3, 3, 6, 5],
    'nn.conv2d',
  ],
  [
    'nn.conv2d(%x, %w, data_layout="NHWC", kernel_layout="HWOI", groups=6)',
    [1, 9, 7, 6],
    [3, 3, 6, 1],
    'nn.conv2d',
  ],
  [
    'nn.conv2d(%x, %w, groups=6, channels=12, kernel_size=[3, 3])',
    [1, 6, 9, 9],
    [6, 2, 3, 3],
    'nn.conv2d',
  ],
  [
    'nn.conv2d(%x, %w, padding=[0, 1, 2, 3], out_layout="NHWC")',
    [2, 6, 7, 9],
    [5, 6, 3, 2],
    'nn.conv2d',
  ],
  ['einsum((%x, %w), equation="bij,bjk->bik")', [3, 4, 5], [3, 5, 6], 'nn.batch_matmul'],
  ['einsum((%x, %w), equation="bhqd,bhkd->bhqk")', [2, 3, 4, 5], [2, 3, 6, 5], 'nn.batch_matmul'],
  ['einsum((%x, %w), equation="bij,kj->bki")', [3, 4, 5], [6, 5], 'nn.matmul'],
  ['nn.relu(einsum((%x, %w), equation="...ij,jk->...ik"))', [3, 2, 4, 5], [5, 6], 'nn.matmul'],
  ['einsum((%x, %w), equation="abc,cd->dab")', [2, 3, 4], [4, 5], 'nn.matmul'],
  ['einsum((%x, %w), equation="ajb,kaj->kb")', [2, 3, 4], [5, 2, 3], 'nn.matmul'],
  ['einsum((%x, %w), equation="bi,bj->bij")', [1, 3], [4, 5], 'nn.matmul'],
  ['einsum((%x, %w), equation="i,j->ij")', [4], [5], 'nn.matmul'],
  ['einsum((%x, %w), equation="i,i->")', [4], [4], 'nn.matmul'],
];

const LEFT: ReadonlyArray<readonly [text: string, x: Shape, w: Shape]> = [
  ['einsum((%x, %w), equation="ij,jk->k")', [4, 5], [5, 6]],
  ['einsum((%x, %w), equation="ii,ij->ij")', [4, 4], [4, 6]],
  ['einsum((%x, %w, %x), equation="ij,jk,il->kl")', [4, 5], [5, 6]],
  ['nn.conv1d(%x, %w)', [0, 6, 17], [5, 6, 3]],
];

/** The largest error of a program, and its lowered text. */
function run(text: string, x: Shape, w: Shape): { readonly error: number; readonly text: string } {
  const m = parse(`def @main(%x: ${typeOf(x)}, %w: ${typeOf(w)}) { ${text} }`);
  const args = [numbers(x), numbers(w)];
  const [wanted, found] = [interpreter, makeWasm({ leastElements: 0 })].map(
    (executor) => orThrow(orThrow(executor.prepare(m)).run(args)) as Tensor,
  ) as [Tensor, Tensor];
  expect(found.shape).toEqual(wanted.shape);
  const data = [...(wanted.data as Float32Array)];
  const error = data.reduce((most, v, i) => Math.max(most, Math.abs(v - Number(found.data[i]))), 0);
  return { error, text: orThrow(loweredText(m, { level: 'simd' })) };
}

describe('contractions', () => {
  it.each(CASES)('%s of %j and %j has a kernel', (text, x, w, kernel) => {
    const found = run(text, x, w);
    expect(found.error).toBeLessThan(2e-5);
    expect(found.text).toContain(`${kernel}(`);
    expect(found.text).not.toContain('reference');
  });

  it.each(LEFT)('%s of %j and %j runs its reference kernel', (text, x, w) => {
    const found = run(text, x, w);
    expect(found.error).toBe(0);
    expect(found.text).toContain('reference');
  });
});

/** A constant of two integers. */
const both = (value: number): string => `Constant(${value}i64, (2), int64)`;

describe('views', () => {
  it.each<[string, Shape]>([
    ['layout_transform(%x, src_layout="NCHW", dst_layout="NHWC")', [1, 4, 3, 5]],
    ['layout_transform(%x, src_layout="NCHW", dst_layout="NCHW2c")', [1, 4, 3, 5]],
    ['layout_transform(%x, src_layout="NCHW4c", dst_layout="NCHW2c")', [1, 2, 3, 5, 4]],
    [`dyn.strided_slice(%x, ${both(1)}, ${both(3)}, ${both(1)})`, [4, 5]],
    [`dyn.broadcast_to(%x, ${both(3)})`, [3, 1]],
    ['collapse_sum_like(%x, %w)', [3, 4]],
    ['vision.yolo_reorg(%x, stride=2)', [2, 8, 4, 6]],
    ['repeat(%x, repeats=2, axis=1)', [3, 4]],
    ['tile(%x, reps=[2, 1])', [3, 4]],
    ['stack((%x, %w), axis=1)', [3, 4]],
  ])('%s of %j needs no reference kernel', (text, x) => {
    const found = run(text, x, [3, 4]);
    expect(found.error).toBe(0);
    expect(found.text).not.toContain('reference');
  });
});
