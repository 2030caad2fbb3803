/** Elementwise lines: arithmetic, comparisons, masks as numbers, round trips of casts. */
import { type DType, fromNumbers, type Shape, shapeSize } from '@baton/tensor';
import { BOUND, type Draft, type Known } from './draft.ts';

/** Element types with their weights: the types with most faults are drawn more often. */
export const TYPES: ReadonlyArray<readonly [number, DType]> = [
  ...([[10, 'float32']] as const),
  ...([[3, 'bool']] as const),
  ...['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'float16', 'float64'].map(
    (dtype) => [1, dtype as DType] as const,
  ),
];

export const isFloat = (dtype: DType): boolean => dtype.startsWith('float');

export function bounded(draft: Draft, value: Known): Known {
  if (!isFloat(value.dtype) || value.bound <= BOUND * BOUND) return value;
  const type = { ...value, bound: BOUND };
  return draft.call('clip', [value], type, `, a_min=-${BOUND}, a_max=${BOUND}`);
}

export const converted = (draft: Draft, value: Known, dtype: DType): Known =>
  bounded(
    draft,
    draft.call(
      'cast',
      [value],
      { ...value, dtype, bound: boundIn(value, dtype) },
      `, dtype="${dtype}"`,
    ),
  );

/** The bound of a value after a cast: an integer may have wrapped. */
const boundIn = (value: Known, dtype: DType): number =>
  isFloat(dtype) && !isFloat(value.dtype) ? Number.POSITIVE_INFINITY : value.bound;

/** An operand of a type that broadcasts to a shape: an earlier value, an input or a constant. */
export function operandFor(draft: Draft, shape: Shape, dtype: DType): Known {
  const { random, pool } = draft;
  const fitting = pool.filter((value) => value.dtype === dtype && broadcasts(value.shape, shape));
  if (fitting.length > 0 && random.chance(0.6)) return random.pick(fitting);
  const own = random.weighted<Shape>([
    [3, shape],
    [2, shape.slice(-1)],
    [1, []],
    [1, shape.map((dim, axis) => (axis === 0 ? dim : 1))],
    [1, shape.map((dim) => (random.chance(0.5) ? dim : 1))],
  ]);
  return random.chance(0.5) ? draft.input(own, dtype) : draft.constant(own, dtype);
}

const broadcasts = (own: Shape, to: Shape): boolean =>
  own.length <= to.length &&
  own.every((dim, i) => dim === 1 || dim === to[to.length - own.length + i]);

const WITH_SIGN = ['negative', 'abs', 'nn.relu', 'copy'];

export function unary(draft: Draft, x: Known): Known {
  const { random } = draft;
  if (x.dtype === 'bool') return draft.call('logical_not', [x], x);
  const names = isFloat(x.dtype)
    ? [...WITH_SIGN, 'round', 'rint', 'floor', 'trunc', 'ceil']
    : WITH_SIGN;
  return draft.call(random.pick(names), [x], { ...x, bound: x.bound + 1 });
}

export function binary(draft: Draft, x: Known): Known {
  const { random } = draft;
  if (x.dtype === 'bool') {
    const y = operandFor(draft, x.shape, 'bool');
    return draft.call(
      random.pick(['logical_and', 'logical_or', 'logical_xor']),
      pair(draft, x, y),
      x,
    );
  }
  if (random.chance(draft.isFractional ? 0.5 : 0.15)) return quotient(draft, x);
  const y = operandFor(draft, x.shape, x.dtype);
  const [name, bound] = random.weighted<readonly [string, number]>([
    [3, ['add', x.bound + y.bound]],
    [3, ['subtract', x.bound + y.bound]],
    [3, ['multiply', x.bound * y.bound]],
    [1, ['maximum', Math.max(x.bound, y.bound)]],
    [1, ['minimum', Math.max(x.bound, y.bound)]],
  ]);
  return bounded(draft, draft.call(name, pair(draft, x, y), { ...x, bound }));
}

/** Two operands in one order or the other. */
const pair = ({ random }: Draft, x: Known, y: Known): [Known, Known] =>
  random.chance(0.5) ? [x, y] : [y, x];

/** A quotient or a remainder by a number that is not 0. */
function quotient(draft: Draft, x: Known): Known {
  const { random, isFractional } = draft;
  const by = isFractional && isFloat(x.dtype) ? random.pick([0.1, 0.3, 0.7]) : 3;
  const names = isFractional ? ['trunc_divide', 'floor_divide', 'divide'] : ['trunc_divide', 'mod'];
  const y = draft.number(fromNumbers([by], [], x.dtype));
  return bounded(draft, draft.call(random.pick(names), [x, y], { ...x, bound: x.bound / by }));
}

/** A comparison, and a use of its mask. */
export function masked(draft: Draft, x: Known): Known {
  const { random } = draft;
  const mask = x.dtype === 'bool' ? x : compared(draft, x);
  const dtype = random.weighted(TYPES);
  switch (random.int(0, 3)) {
    case 0:
      return mask;
    case 1:
      return converted(draft, mask, random.chance(0.5) ? 'float32' : dtype);
    case 2: {
      const type = dtype === 'bool' ? 'float32' : dtype;
      const [a, b] = [operandFor(draft, x.shape, type), operandFor(draft, x.shape, type)];
      const bound = Math.max(a.bound, b.bound);
      return draft.call('where', [mask, a, b], { shape: x.shape, dtype: type, bound });
    }
    default:
      return draft.call('logical_not', [mask], mask);
  }
}

function compared(draft: Draft, x: Known): Known {
  const names = ['less', 'less_equal', 'greater', 'greater_equal', 'equal', 'not_equal'];
  const y = operandFor(draft, x.shape, x.dtype);
  const type = { shape: x.shape, dtype: 'bool', bound: 1 } as const;
  return draft.call(draft.random.pick(names), pair(draft, x, y), type);
}

export function castThereAndBack(draft: Draft, x: Known): Known {
  const { random } = draft;
  let there = converted(draft, x, random.weighted(TYPES));
  if (random.chance(0.5)) there = unary(draft, there);
  return random.chance(0.7) ? converted(draft, there, x.dtype) : there;
}

/** Whether a tensor has enough elements for another line. */
export const isLarge = ({ shape }: Known): boolean => shapeSize(shape) >= 64;
