/** Nodes that draw random numbers. */
import { full, type Tensor, toNumbers } from '@baton/tensor';
import { expect, test } from 'vitest';
import type { GraphParts } from './helpers/encode.ts';
import { imported, refused } from './helpers/import.ts';
import { one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

const seed = { f: 7.25 };
const shape = { ints: [40, 50] };
const opset = 15;

/** The numbers of a graph, which are the same in each run. */
function drawn(graph: GraphParts, args: ReadonlyArray<Tensor> = []): ReadonlyArray<number> {
  const f = imported(graph, { opset });
  const [first, again] = [run(f, args), run(f, args)];
  expect(first).toEqual(again);
  return first.flatMap((one) => [...Array.from(toNumbers(one))]);
}

const mean = (xs: ReadonlyArray<number>): number => xs.reduce((a, b) => a + b, 0) / xs.length;
const deviation = (xs: ReadonlyArray<number>): number =>
  Math.sqrt(mean(xs.map((x) => (x - mean(xs)) ** 2)));

const x = full([40, 50], 'float32', 0.25);
const between = { seed, shape, low: { f: 2 }, high: { f: 4 } };
const about = { seed, shape, mean: { f: 1 }, scale: { f: 3 } };

test.each([
  ['RandomUniform', between, 3, 2 / Math.sqrt(12)],
  ['RandomNormal', about, 1, 3],
] as const)('%s has its mean and its deviation', (op, attrs, middle, width) => {
  const numbers = drawn(one(op, {}, attrs));
  expect(numbers).toHaveLength(2000);
  expect(Math.abs(mean(numbers) - middle)).toBeLessThan(0.1 * width);
  expect(Math.abs(deviation(numbers) - width)).toBeLessThan(0.1 * width);
});

test.each(['RandomUniformLike', 'RandomNormalLike'])('%s has the shape of its input', (op) => {
  const plain = op.replace('Like', '');
  expect(drawn(one(op, { x: [40, 50] }, { seed }), [x])).toEqual(
    drawn(one(plain, {}, { seed, shape })),
  );
});

test('Bernoulli is 1 as often as it says', () => {
  const numbers = drawn(one('Bernoulli', { x: [40, 50] }, { seed }), [x]);
  expect(new Set(numbers)).toEqual(new Set([0, 1]));
  expect(Math.abs(mean(numbers) - 0.25)).toBeLessThan(0.04);
});

test('Multinomial takes logarithms of probabilities', () => {
  const graph = one('Multinomial', { x: [1, 3] }, { seed, sample_size: { i: 3000 } });
  const logarithms = full([1, 3], 'float32', 0);
  const numbers = drawn(graph, [logarithms]);
  const counts = [0, 1, 2].map((place) => numbers.filter((n) => n === place).length);
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(100);
});

test('numbers that are no floats are refused', () => {
  const whole = one('RandomNormal', {}, { seed, shape, dtype: { i: 6 } });
  expect(refused(whole, { opset })).toEqual([
    expect.stringMatching(/^ONNX_ELEMENT_TYPE at .*: expected a type of floats, found int32$/),
  ]);
});

test('two nodes without a seed draw different numbers, the same in each run', () => {
  const nodes = ['y', 'z'].map((name) => ({
    op: 'RandomNormal',
    out: [name],
    attrs: { shape },
  }));
  const numbers = drawn({ nodes, inputs: [], outputs: ['y', 'z'] });
  const [first, second] = [numbers.slice(0, 2000), numbers.slice(2000)];
  expect(first).not.toEqual(second);
  for (const half of [first, second]) {
    expect(Math.abs(mean(half))).toBeLessThan(0.1);
    expect(Math.abs(deviation(half) - 1)).toBeLessThan(0.1);
  }
});

test.each([
  ['RandomUniformLike', { low: { f: 2 }, high: { f: 4 } }, 3, 2 / Math.sqrt(12)],
  ['RandomNormalLike', { mean: { f: 1 }, scale: { f: 3 } }, 1, 3],
] as const)('%s takes open sizes', (op, attrs, middle, width) => {
  const numbers = drawn(one(op, { x: ['n', 'm'] }, attrs), [x]);
  expect(numbers).toHaveLength(2000);
  expect(new Set(numbers).size).toBeGreaterThan(1990);
  expect(Math.abs(mean(numbers) - middle)).toBeLessThan(0.1 * width);
  expect(Math.abs(deviation(numbers) - width)).toBeLessThan(0.1 * width);
  // Neighbours are not alike.
  const products = numbers.slice(1).map((z, i) => (z - middle) * ((numbers[i] ?? 0) - middle));
  expect(Math.abs(mean(products))).toBeLessThan(0.1 * width ** 2);
});
