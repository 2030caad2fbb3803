/**
 * Products of weights of few bits in blocks agree with the reference in compiled code: for few rows of
 * data, where integers are multiplied, and for many, where the weight becomes floats.
 */
import { mulberry32, orThrow, type Random } from '@baton/base';
import { interpreter } from '@baton/executor';
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps as ops } from '@baton/ops';
import { type Tensor, tensor } from '@baton/tensor';
import { loweredText, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const CALLS = amount(200, { quick: 30 });

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));
const oneOf = <A>(random: Random, items: ReadonlyArray<A>): A =>
  items[Math.floor(random() * items.length)] as A;

function floats(random: Random, shape: ReadonlyArray<number>, size = 1): Tensor {
  const count = shape.reduce((a, b) => a * b, 1);
  const values = Float32Array.from({ length: count }, () => size * (2 * random() - 1));
  return tensor(values, [...shape], 'float32');
}

/** The sizes of a call. */
interface Site {
  readonly rows: number;
  readonly depth: number;
  readonly units: number;
  readonly bits: 2 | 4 | 8;
  /** **Units** bytes of a block. */
  readonly bytes: number;
  readonly hasOneZero: boolean;
  readonly isWeightConstant: boolean;
}

const randomSite = (random: Random): Site => ({
  rows: oneOf(random, [1, 1, 2, 4, 5, 9, 33]),
  depth: oneOf(random, [between(random, 1, 40), between(random, 41, 300), 800, 1600]),
  units: between(random, 1, 45),
  bits: oneOf(random, [2, 4, 4, 8]),
  bytes: oneOf(random, [16, 16, 32, 64]),
  hasOneZero: random() < 0.5,
  isWeightConstant: random() < 0.8,
});

/** A program of a call with a bias and an activation after it, and its arguments. */
function programOf(random: Random, site: Site) {
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

/** The greatest difference, in parts of the greatest element. */
function errorOf(found: Tensor, wanted: Tensor): number {
  const [a, b] = [found.data as Float32Array, wanted.data as Float32Array];
  const most = b.reduce((sum, x) => Math.max(sum, Math.abs(x)), 0);
  return a.reduce((sum, x, i) => Math.max(sum, Math.abs(x - (b[i] as number))), 0) / (most || 1);
}

describe('products of weights in blocks', () => {
  it('agree with the reference', () => {
    const random = mulberry32(38);
    for (let i = 0; i < CALLS; i++) {
      const site = randomSite(random);
      const { module, args } = programOf(random, site);
      const [wanted, found] = [interpreter, makeWasm({ leastElements: 1 })].map(
        (executor) => orThrow(orThrow(executor.prepare(module)).run(args)) as Tensor,
      ) as [Tensor, Tensor];
      expect(errorOf(found, wanted), JSON.stringify(site)).toBeLessThan(3e-6);
      expect(orThrow(loweredText(module))).toMatch(/nn.dense_nbits\(.* by hand/);
    }
  });

  it('store no floats for the weight, and pack none ahead', () => {
    const site: Site = {
      ...{ rows: 1, depth: 768, units: 512, bits: 4, bytes: 16 },
      ...{ hasOneZero: true, isWeightConstant: true },
    };
    const { module } = programOf(mulberry32(1), site);
    const [, bytes = 'no constants'] =
      /constants of (\d+) bytes/.exec(orThrow(loweredText(module, { level: 'simd' }))) ?? [];
    const [weight, scales] = [(768 * 512) / 2, (4 * 768 * 512) / 32];
    expect(Number(bytes)).toBeLessThan(weight + scales + 4 * 512 + 1024);
  });

  it('give NaN for rows with NaN or an infinite element', () => {
    const site: Site = {
      ...{ rows: 2, depth: 40, units: 8, bits: 4, bytes: 16 },
      ...{ hasOneZero: false, isWeightConstant: true },
    };
    for (const extreme of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const { module, args } = programOf(mulberry32(2), site);
      const [data] = args as [Tensor];
      (data.data as Float32Array)[3] = extreme;
      const executable = orThrow(makeWasm({ leastElements: 1 }).prepare(module));
      const values = [...((orThrow(executable.run(args)) as Tensor).data as Float32Array)];
      expect(values.slice(0, 8).every(Number.isNaN)).toBe(true);
      expect(values.slice(8).some(Number.isNaN)).toBe(false);
    }
  });
});
