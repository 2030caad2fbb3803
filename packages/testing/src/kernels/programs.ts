/** Programs of single kernels that are written by hand, by the kernel: for mutants of compiled code. */
import { mulberry32, orThrow, type Random } from '@baton/base';
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { fromNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { blockProduct, randomBlockSite } from './block-products.ts';
import { doubleProduct, FLOAT_PRODUCTS } from './float-products.ts';
import { INTEGER_PRODUCTS, integerProduct } from './integer-products.ts';
import { between, floats, type KernelProgram, oneOf } from './program.ts';

/** A convolution of 3 × 3 by one of Winograd's transforms. */
function transformed(random: Random): KernelProgram {
  const [inputs, outputs] = [between(random, 8, 12), between(random, 8, 18)];
  const groups = oneOf(random, [1, 1, 2]);
  const shape = [
    between(random, 1, 2),
    inputs * groups,
    between(random, 5, 14),
    between(random, 5, 14),
  ];
  const data = variable('data', tensorType(shape, 'float32'));
  const weight = constant(floats(random, [outputs * groups, inputs, 3, 3]));
  const algorithm = oneOf(random, ['winograd2', 'winograd4']);
  const attrs = { padding: [1, 1], groups, algorithm };
  const product = callOp(ops, 'nn.conv2d', [data, weight], attrs);
  const biased = callOp(ops, 'nn.bias_add', [
    product,
    constant(floats(random, [outputs * groups])),
  ]);
  const body = callOp(ops, 'nn.leaky_relu', [biased], { alpha: 0.5 });
  const module = irModule({ ops, functions: new Map([['main', func([data], body)]]) });
  return { module, args: [floats(random, shape)] };
}

/** A product of matrices that are views: heads of one tensor, transposed. */
function ofViews(random: Random): KernelProgram {
  const [rows, heads, width] = [
    between(random, 2, 19),
    between(random, 1, 4),
    between(random, 2, 13),
  ];
  const shape = [1, rows, heads, width];
  const [x, y] = ['x', 'y'].map((name) => variable(name, tensorType(shape, 'float32')));
  if (x === undefined || y === undefined) throw new Error('two names, two variables');
  const headsOf = (given: typeof x, axes: ReadonlyArray<number>, to: ReadonlyArray<number>) =>
    callOp(ops, 'reshape', [callOp(ops, 'transpose', [given], { axes })], { newshape: to });
  const left = headsOf(x, [0, 2, 1, 3], [heads, rows, width]);
  const isTurned = random() < 0.5;
  const right = isTurned
    ? headsOf(y, [0, 2, 1, 3], [heads, rows, width])
    : headsOf(y, [0, 2, 3, 1], [heads, width, rows]);
  const attrs = { transpose_a: false, transpose_b: isTurned };
  const body = callOp(ops, 'nn.batch_matmul', [left, right], attrs);
  const module = irModule({ ops, functions: new Map([['main', func([x, y], body)]]) });
  return { module, args: [floats(random, shape), floats(random, shape)] };
}

/** Texts of the next values of a loop's two states. */
const NEXT: ReadonlyArray<readonly [string, string]> = [
  ['%s1', '%s0'],
  ['%s1', 'add(%s0, %s1)'],
  ['add(%s0, take(%x, %i, axis=0))', '%s0'],
  ['nn.relu(subtract(%s1, take(%x, %i, axis=0)))', 'add(%s0, %s1)'],
  ['add(%s0, %s1)', 'subtract(add(%s0, %s1), %s0)'],
];

/** A loop of a known number of turns. */
function loop(random: Random): KernelProgram {
  const [turns, size] = [between(random, 2, 6), between(random, 1, 19)];
  const row = `Tensor[(1, ${size}), float32]`;
  const types = `int32, ${row}, ${row}`;
  const text = `#[version = "0.0.5"]
def @main(%x: Tensor[(${turns}, 1, ${size}), float32], %h0: ${row}, %h1: ${row}) {
  let %loop: fn (${types}) -> (${types}) = fn (%i: int32, %s0: ${row}, %s1: ${row}) -> (${types}) {
    if (less(%i, ${turns})) { %loop(add(%i, 1), ${oneOf(random, NEXT).join(', ')}) } else { (%i, %s0, %s1) }
  };
  %loop(0, %h0, %h1)
}
`;
  const args = [
    [turns, 1, size],
    [1, size],
    [1, size],
  ].map((shape) => floats(random, shape));
  return { module: orThrow(parseModule(text, { ops })), args };
}

/** Elements of float16, from doubles of all its magnitudes and beyond. */
function ofHalves(random: Random): KernelProgram {
  const size = between(random, 1, 40);
  const text = `#[version = "0.0.5"]
def @main(%x: Tensor[(${size}), float64], %y: Tensor[(${size}), float16]) {
  let %half = cast(%x, dtype="float16");
  let %finite = clip(%half, a_min=-60000, a_max=60000);
  let %isInfinite = equal(%half, multiply(%half, 0.5f16));
  (%finite, %isInfinite, multiply(%finite, %y), exp(%y), cos(%y), sqrt(abs(%y)))
}
`;
  const numbers = (least: number, most: number): ReadonlyArray<number> =>
    Array.from(
      { length: size },
      () => oneOf(random, [-1, 1]) * between(random, 1, 4097) * 2 ** between(random, least, most),
    );
  const args = [
    fromNumbers(numbers(-36, 6), [size], 'float64'),
    fromNumbers(numbers(-24, -13), [size], 'float16'),
  ];
  return { module: orThrow(parseModule(text, { ops })), args };
}

const KINDS: Readonly<Record<string, (random: Random) => KernelProgram>> = {
  ...Object.fromEntries(
    INTEGER_PRODUCTS.map((kind) => [
      `${kind} of integers`,
      (random: Random) => integerProduct(kind, random),
    ]),
  ),
  ...Object.fromEntries(
    FLOAT_PRODUCTS.map((kind) => [
      `${kind} of doubles`,
      (random: Random) => doubleProduct(kind, random),
    ]),
  ),
  'products in blocks': (random) => blockProduct(random, randomBlockSite(random)),
  'transformed convolutions': transformed,
  'products of views': ofViews,
  'elements of halves': ofHalves,
  loops: loop,
};

/** The kinds of programs of single kernels. */
export const KERNEL_PROGRAMS: ReadonlyArray<string> = Object.keys(KINDS);

/** A program of a kind, of a seed. */
export const kernelProgram = (kind: string, seed: number): KernelProgram =>
  (KINDS[kind] as (random: Random) => KernelProgram)(mulberry32(seed));
