/** Operators that are gradients of others: both sides of ⟨g, f(x)⟩ = ⟨f′(g), x⟩ for linear f. */
import { orThrow } from '@baton/base';
import type { Attrs } from '@baton/ir';
import { fromNumbers, isTensor, shapeSize, type Tensor, toNumbers } from '@baton/tensor';
import { expect, test } from 'vitest';
import { evaluateOp, standardOps } from '../src/index.ts';

/** Small integers, so that all sums are exact. */
function integers(shape: ReadonlyArray<number>, seed: number): Tensor {
  const values = Array.from({ length: shapeSize(shape) }, (_, i) => ((i * 37 + seed) % 11) - 5);
  return fromNumbers(values, shape, 'float64');
}

function run(name: string, args: ReadonlyArray<Tensor>, attrs: Attrs): Tensor {
  const complete = orThrow(standardOps.get(name)?.attrs.decode(attrs) ?? noOperator(name));
  const found = orThrow(evaluateOp(standardOps, name, complete, args));
  return isTensor(found) ? found : noOperator(name);
}

function noOperator(name: string): never {
  throw new Error(`there is no operator ${name} with one result`);
}

function inner(a: Tensor, b: Tensor): number {
  expect(a.shape).toEqual(b.shape);
  const other = toNumbers(b);
  return Array.from(toNumbers(a)).reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}

const CONVOLUTIONS: ReadonlyArray<readonly [Attrs, ReadonlyArray<number>, ReadonlyArray<number>]> =
  [
    [{}, [2, 4, 6, 5], [3, 4, 3, 2]],
    [{ groups: 2, strides: [2, 1], padding: [1, 1, 0, 2] }, [2, 4, 7, 6], [6, 2, 3, 3]],
    [{ groups: 4, dilation: [2, 1], strides: [3, 2] }, [1, 4, 9, 6], [4, 1, 2, 3]],
    [{ data_layout: 'NHWC', kernel_layout: 'HWIO', padding: [1, 0] }, [2, 6, 5, 3], [3, 2, 3, 4]],
  ];

test.each(CONVOLUTIONS)('the gradient of a weight: %j', (attrs, data, weight) => {
  const [x, w] = [integers(data, 1), integers(weight, 2)];
  const y = run('nn.conv2d', [x, w], attrs);
  const g = integers(y.shape, 3);
  const { data_layout: layout = 'NCHW', kernel_layout: own = 'OIHW', ...rest } = attrs;
  const size = [...'HW'].map((letter) => weight[`${own}`.indexOf(letter)] ?? 1);
  const layouts = { data_layout: layout, kernel_layout: layout, out_layout: own };
  const given = { ...rest, ...layouts, kernel_size: size };
  expect(inner(run('nn.conv2d_backward_weight', [g, x], given), w)).toBe(inner(g, y));
});

test.each([
  { pool_size: [2, 3], strides: [2, 1] },
  { pool_size: [3, 2], strides: [2, 2], padding: [1, 0, 1, 1], count_include_pad: true },
  { pool_size: [2, 2], strides: [2, 2], ceil_mode: true, count_include_pad: true },
  { pool_size: [2, 2], dilation: [2, 2], padding: [1, 1], layout: 'NHWC' },
])('the gradient of a mean: %j', (attrs) => {
  const x = integers([2, 5, 6, 3], 1);
  const y = run('nn.avg_pool2d', [x], attrs);
  const g = integers(y.shape, 2);
  expect(inner(run('nn.avg_pool2d_grad', [g, x], attrs), x)).toBeCloseTo(inner(g, y), 9);
});

test('the gradient of a maximum is at the first of equal cells, and at NaN', () => {
  const x = fromNumbers([1, 2, 2, 0, 3, 3, Number.NaN, 9], [1, 1, 2, 4], 'float64');
  const g = fromNumbers([5, 7], [1, 1, 1, 2], 'float64');
  const found = run('nn.max_pool2d_grad', [g, x], { pool_size: [2, 2], strides: [2, 2] });
  expect([...toNumbers(found)]).toEqual([0, 0, 0, 0, 5, 0, 7, 0]);
});
