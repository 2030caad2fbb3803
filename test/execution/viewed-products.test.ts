/**
 * Products in compiled code read transposed and sliced operands as they are, and fuse what follows a
 * reshape: no kernel copies an operand, and the result agrees with the reference.
 */
import { mulberry32, orThrow, type Random } from '@baton/base';
import { interpreter } from '@baton/executor';
import { constant, type Expr, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { fromNumbers, type Shape, type Tensor } from '@baton/tensor';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 40 });

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

function floats(random: Random, shape: Shape): Tensor {
  const count = shape.reduce((a, b) => a * b, 1);
  return fromNumbers(
    Array.from({ length: count }, () => 2 * random() - 1),
    [...shape],
    'float32',
  );
}

/** The steps from what is stored to an operand of (heads, lanes, depth) or, turned, (heads, depth, lanes). */
type View = (x: Expr) => Expr;

/** What is stored, and how it becomes the operand. */
function viewOf(random: Random, [heads, first, second]: readonly [number, number, number]) {
  const transposed = (axes: Shape) => (x: Expr) => callOp(ops, 'transpose', [x], { axes });
  const sliced =
    (axis: number, begin: number, end: number): View =>
    (x) =>
      callOp(ops, 'strided_slice', [x], { begin: [begin], end: [end], axes: [axis] });
  const all: ReadonlyArray<readonly [Shape, View]> = [
    [[heads, first, second], (x) => x],
    [[heads, second, first], transposed([0, 2, 1])],
    [[first, heads, second], transposed([1, 0, 2])],
    [[second, heads, first], transposed([1, 2, 0])],
    // Neither of the last two axes is without gaps.
    [[first, second, heads], transposed([2, 0, 1])],
    [[heads, first, second + 3], sliced(2, 2, second + 2)],
    [[heads, first + 2, second], sliced(1, 1, first + 1)],
  ];
  return all[between(random, 0, all.length - 1)] as readonly [Shape, View];
}

/** Attention's products in all orders of their axes, with a scale, a bias or a mask after a reshape. */
function programOf(random: Random) {
  const heads = between(random, 1, 5);
  const [rows, depth, columns] = [1, 2, 3].map(() => between(random, 1, 19)) as [
    number,
    number,
    number,
  ];
  const [turnsData, turnsWeight] = [random() < 0.3, random() < 0.5];
  const [left, ofData] = viewOf(random, [heads, ...(turnsData ? [depth, rows] : [rows, depth])] as [
    number,
    number,
    number,
  ]);
  const [right, ofWeight] = viewOf(random, [
    heads,
    ...(turnsWeight ? [columns, depth] : [depth, columns]),
  ] as [number, number, number]);
  const data = variable('data', tensorType(left, 'float32'));
  const weight = variable('weight', tensorType(right, 'float32'));
  const product = callOp(ops, 'nn.batch_matmul', [ofData(data), ofWeight(weight)], {
    transpose_a: turnsData,
    transpose_b: turnsWeight,
  });
  const newshape = [1, heads, rows, columns];
  const shaped = callOp(ops, 'reshape', [product], { newshape });
  const masks: ReadonlyArray<Shape> = [[], [columns], newshape];
  const mask = floats(random, masks[between(random, 0, 2)] as Shape);
  const body = callOp(ops, 'nn.relu', [callOp(ops, 'add', [shaped, constant(mask)])]);
  const module = irModule({ ops, functions: new Map([['main', func([data, weight], body)]]) });
  return { module, args: [floats(random, left), floats(random, right)] };
}

const kernelsIn = (text: string): ReadonlyArray<string> =>
  text.split('\n').filter((line) => line.includes(' = '));

describe('products of views', () => {
  it('agree with the reference', () => {
    const random = mulberry32(39);
    for (let i = 0; i < CALLS; i++) {
      const { module, args } = programOf(random);
      const [wanted, found] = [interpreter, makeWasm({ leastElements: 1 })].map(
        (executor) => orThrow(orThrow(executor.prepare(module)).run(args)) as Tensor,
      ) as [Tensor, Tensor];
      const [a, b] = [found.data as Float32Array, wanted.data as Float32Array];
      const error = a.reduce((sum, x, j) => Math.max(sum, Math.abs(x - (b[j] as number))), 0);
      expect(error, `call ${i}: ${orThrow(loweredText(module))}`).toBeLessThan(1e-5);
    }
  });

  it('are one kernel with what follows', () => {
    const heads = (name: string) => variable(name, tensorType([2, 9, 3, 8], 'float32'));
    const [query, key] = [heads('query'), heads('key')];
    const flat = (x: Expr): Expr => {
      const turned = callOp(ops, 'transpose', [x], { axes: [0, 2, 1, 3] });
      const one = callOp(ops, 'strided_slice', [turned], { begin: [0], end: [1], axes: [0] });
      return callOp(ops, 'reshape', [one], { newshape: [3, 9, 8] });
    };
    const scores = callOp(ops, 'nn.batch_matmul', [flat(query), flat(key)], { transpose_b: true });
    const shaped = callOp(ops, 'reshape', [scores], { newshape: [1, 3, 9, 9] });
    const scale = constant(fromNumbers([0.5], [], 'float32'));
    const body = callOp(ops, 'multiply', [shaped, scale]);
    const module = irModule({ ops, functions: new Map([['main', func([query, key], body)]]) });
    const kernels = kernelsIn(orThrow(loweredText(module, { level: 'simd' })));
    expect(kernels).toEqual([expect.stringMatching(/mul\(nn.batch_matmul\(.*, 0.5\) by hand/)]);
  });
});
