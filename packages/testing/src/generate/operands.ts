/** The part of a builder for operands: visible values, new parameters, new constants. */
import { InvariantError } from '@baton/base';
import { constant, tensorType, variable } from '@baton/ir';
import { type DType, isFloat, sameShape, tensor } from '@baton/tensor';
import type { Builder, Want } from './builder.ts';
import type { Draft } from './draft.ts';
import { isOfClass, someDType } from './dtypes.ts';
import { factsOfNumbers, inputFacts } from './facts.ts';
import type { Choices } from './random.ts';
import { guard } from './settle.ts';
import { sizeOf, someRank, someShape } from './shapes.ts';
import { type TensorValue, tensorValue, type Value } from './value.ts';

/** Functions get up to this many parameters if other values are scarce. */
const ENOUGH_PARAMS = 4;

export const operands = (
  draft: Draft,
  b: Builder,
): Pick<Builder, 'operand' | 'param' | 'constant' | 'weights' | 'within'> => ({
  operand: (want = {}) => someOperand(b, want),
  param: (shape, dtype = b.float) => {
    const { params, visible, isConstant } = draft.scope;
    if (isConstant) return b.weights(shape, dtype);
    const type = tensorType(shape, dtype);
    const letter = isFloat(dtype) ? 'x' : dtype === 'bool' ? 'p' : 'i';
    const v = variable(`${letter}${params.length}`, type);
    const value = tensorValue(v, type, inputFacts(dtype));
    params.push(value);
    visible.unshift(value);
    return value;
  },
  constant: (numbers, shape, dtype = b.float) => {
    const size = sizeOf(shape);
    const data = Array.from({ length: size }, (_, i) => numbers[i % numbers.length] ?? 0);
    const facts = factsOfNumbers(numbers.slice(0, size).map(Number));
    return tensorValue(constant(tensor(data, shape, dtype)), tensorType(shape, dtype), facts);
  },
  weights: (shape, dtype = b.float) =>
    b.constant(smallNumbers(b.random, shape, dtype), shape, dtype),
  within: (value, interval) => guard(b, value, interval),
});

function smallNumbers(
  random: Choices,
  shape: ReadonlyArray<number>,
  dtype: DType,
): ReadonlyArray<number> {
  const limit = isFloat(dtype) ? 8 : 4;
  const unit = isFloat(dtype) ? 8 : 1;
  const lowest = dtype === 'bool' || dtype.startsWith('uint') ? 0 : -limit;
  const number = (): number => {
    const k = random.int(lowest, limit) / unit;
    return dtype === 'bool' ? (k > 1 ? 1 : 0) : k;
  };
  return Array.from({ length: Math.min(sizeOf(shape), 37) }, number);
}

/** A visible value if one suits, or a new parameter or constant. */
function someOperand(b: Builder, want: Want): TensorValue {
  const { random } = b;
  const candidates = b.visible().filter((value) => suits(value, want));
  if (candidates.length > 0 && random.chance(0.9)) return recent(random, candidates);
  const dtype = want.dtype ?? someDType(random, b.float, want.kind ?? 'float');
  const shape = want.shape ?? want.fresh?.() ?? freshShape(b, want);
  const isMany = b.params().length >= ENOUGH_PARAMS;
  const isSmall = sizeOf(shape) <= 16;
  const p = isSmall ? (isMany ? 0.9 : 0.4) : isMany ? 0.3 : 0.05;
  return random.chance(p) ? b.weights(shape, dtype) : b.param(shape, dtype);
}

const suits = (value: Value, want: Want): value is TensorValue =>
  value._tag === 'Tensor' &&
  (want.dtype === undefined
    ? isOfClass(value.dtype, want.kind ?? 'float')
    : value.dtype === want.dtype) &&
  (want.shape === undefined || sameShape(value.shape, want.shape)) &&
  (want.rank === undefined ||
    (value.shape.length >= want.rank[0] && value.shape.length <= want.rank[1])) &&
  (want.fits === undefined || want.fits(value.shape));

/** The most recent of the candidates more often than the others. */
function recent(random: Choices, candidates: ReadonlyArray<TensorValue>): TensorValue {
  const back = Math.min(random.int(0, 3), random.int(0, candidates.length - 1));
  return candidates[Math.max(candidates.length - 1 - back, 0)] as TensorValue;
}

function freshShape({ random, emptyAxes }: Builder, want: Want): ReadonlyArray<number> {
  const [min, max] = want.rank ?? [0, 5];
  for (let tries = 0; tries < 32; tries++) {
    const shape = someShape(random, someRank(random, min, max), emptyAxes);
    if (want.fits === undefined || want.fits(shape)) return shape;
  }
  throw new InvariantError('an operand that must fit says what fits');
}
