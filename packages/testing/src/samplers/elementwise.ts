/** Samplers of elementwise operators without a family. */

import type { DType } from '@baton/tensor';
import { fitInto } from '../generate/settle.ts';
import { narrower } from '../generate/shapes.ts';
import { inDomain } from './families.ts';
import type { Sampler, Samplers } from './sampler.ts';

const clip: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number' });
  const [lo, hi] = b.random.pick([
    [-1, 1],
    [0, 6],
    [-2, 3],
    [0, 1],
  ] as const);
  return b.call(op.name, [x], { a_min: lo, a_max: hi });
};

const cast: Sampler = (b, op) => {
  const x = b.operand({ kind: 'any' });
  const to = b.random.pick<DType>([
    b.float,
    b.float,
    'float64',
    'float32',
    'float16',
    'int32',
    'int64',
    'int8',
    'bool',
  ]);
  const small = to === 'int8' ? b.within(x, [-64, 64]) : fitInto(b, x, to);
  return b.call(op.name, [small], { dtype: to });
};

const where: Sampler = (b, op) => {
  const x = b.operand({ kind: 'number' });
  const y = b.operand({ shape: narrower(b.random, x.shape), dtype: x.dtype });
  const condition = b.operand({ shape: narrower(b.random, x.shape), dtype: 'bool' });
  return b.call(op.name, [condition, ...b.random.shuffle([x, y])]);
};

const leakyRelu: Sampler = (b, op) =>
  b.call(op.name, [b.operand()], { alpha: b.random.pick([0.25, 0.5, 0.125]) });

/** The divisor keeps away from 0. */
const division =
  (isOfFloats: boolean): Sampler =>
  (b, op) => {
    const kind = isOfFloats || b.random.chance(0.6) ? 'float' : 'int';
    const x = b.operand({ kind });
    const shape = narrower(b.random, x.shape);
    const isWhole = kind === 'int';
    const sign = b.random.pick([1, 1, -1]);
    const divisors = isWhole ? [1, 2, 3, 5] : [0.5, 1, 2, 4].map((d) => d * sign);
    const y = b.random.chance(0.6)
      ? b.constant(b.random.shuffle(divisors), shape, x.dtype)
      : b.within(b.operand({ shape, dtype: x.dtype }), isWhole ? [1, 100] : [0.25, 512]);
    return b.call(op.name, [x, y]);
  };

const power: Sampler = (b, op) => {
  const x = b.within(b.operand(), [0.125, 4]);
  const y = b.constant([0.5, 1, 2, -1], narrower(b.random, x.shape), x.dtype);
  return b.call(op.name, [x, y]);
};

const shift: Sampler = (b, op) => {
  const x = b.operand({ kind: 'int' });
  return b.call(op.name, [x, b.constant([0, 1, 2, 3], narrower(b.random, x.shape), x.dtype)]);
};

const softmax: Sampler = (b, op) => {
  const x = b.operand({ rank: [1, 4] });
  const axis = b.random.int(-1, x.shape.length - 1);
  return b.call(op.name, [inDomain(b, op, x, 0)], { axis });
};

export const elementwiseSamplers: Samplers = {
  clip,
  cast,
  where,
  'nn.leaky_relu': leakyRelu,
  divide: division(true),
  floor_divide: division(false),
  power,
  left_shift: shift,
  'nn.softmax': softmax,
};
