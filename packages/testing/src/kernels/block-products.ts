/** Programs of one product of a weight of few bits in blocks, for few rows of data and for many. */
import type { Random } from '@baton/base';
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { between, floats, type KernelProgram, oneOf } from './program.ts';

/** The sizes of a product of a weight in blocks. */
export interface BlockSite {
  readonly rows: number;
  readonly depth: number;
  readonly units: number;
  readonly bits: 2 | 4 | 8;
  /** **Units** bytes of a block. */
  readonly bytes: number;
  readonly hasOneZero: boolean;
  readonly isWeightConstant: boolean;
}

export const randomBlockSite = (random: Random): BlockSite => ({
  rows: oneOf(random, [1, 1, 2, 4, 5, 9, 33]),
  depth: oneOf(random, [between(random, 1, 40), between(random, 41, 300), 800, 1600]),
  units: between(random, 1, 45),
  bits: oneOf(random, [2, 4, 4, 8]),
  bytes: oneOf(random, [16, 16, 32, 64]),
  hasOneZero: random() < 0.5,
  isWeightConstant: random() < 0.8,
});

/** A program of a product of a weight in blocks, with a bias and an activation after it. */
export function blockProduct(random: Random, site: BlockSite): KernelProgram {
  const { rows, depth, units, bits, bytes, hasOneZero, isWeightConstant } = site;
  const blocks = Math.ceil((depth * bits) / (8 * bytes));
  const packed = Uint8Array.from({ length: units * blocks * bytes }, () => between(random, 0, 255));
  const middle = 2 ** (bits - 1);
  const zeros = Float32Array.from({ length: hasOneZero ? 1 : units * blocks }, () =>
    between(random, 0, 2 * middle - 1),
  );
  const weight = tensor(packed, [units, blocks, bytes], 'uint8');
  const data = variable('data', tensorType([rows, depth], 'float32'));
  const given = variable('weight', tensorType(weight.shape, 'uint8'));
  const scale = constant(floats(random, [units, blocks]));
  const zero = constant(tensor(zeros, hasOneZero ? [] : [units, blocks], 'float32'));
  const operands = [data, isWeightConstant ? constant(weight) : given, scale, zero];
  const product = callOp(ops, 'nn.dense_nbits', operands, { bits });
  const biased = callOp(ops, 'add', [product, constant(floats(random, [units]))]);
  const body = callOp(ops, 'nn.leaky_relu', [biased], { alpha: 0.5 });
  const params = isWeightConstant ? [data] : [data, given];
  const module = irModule({ ops, functions: new Map([['main', func(params, body)]]) });
  // Rows of very different sizes: the data of a row have one unit.
  const numbers = floats(random, [rows, depth], 10 ** between(random, -6, 6));
  return { module, args: isWeightConstant ? [numbers] : [numbers, weight] };
}
