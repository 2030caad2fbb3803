/** Random shapes and tensors for the comparison, from a seed. */
import { mulberry32 } from '@baton/base';
import {
  type DType,
  dtypeInfo,
  isBig,
  isFloat,
  isInteger,
  type Tensor,
  tensor,
} from '@baton/tensor';

/** The numbers of a tensor. */
export interface Numbers {
  /** Floats are multiples of this: with few of them, sums and products are exact. Default: 1/8. */
  readonly step?: number;
  /** Default: -8, or 0 for types without sign. */
  readonly min?: number;
  /** Default: 8. */
  readonly max?: number;
  /** Whether 0 is left out. */
  readonly nonZero?: boolean;
  /** Whether the extreme whole numbers of the type are included: its ends, and beyond 2^53. */
  readonly extreme?: boolean;
  /** Whether infinities, NaN and -0 are included, if the type has them. */
  readonly special?: boolean;
}

/** Numbers for operators that move or compare elements, with extreme whole numbers. */
export const EXTREME: Numbers = { extreme: true };

/** A source of random choices. */
export interface Draw {
  /** A whole number from `low` to `high`, both included. */
  readonly int: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <A>(list: ReadonlyArray<A>) => A;
  /** The numbers below `count` in random order. */
  readonly permutation: (count: number) => ReadonlyArray<number>;
  /** Some of the numbers below `count`, in order: at least one if there is one. */
  readonly subset: (count: number) => ReadonlyArray<number>;
  readonly dim: () => number;
  /** A shape of a rank from `low` to `high`. */
  readonly shape: (low?: number, high?: number) => ReadonlyArray<number>;
  /** Like `shape`; sometimes an axis has no elements. */
  readonly sparse: (low?: number, high?: number) => ReadonlyArray<number>;
  /** Two shapes that broadcast. */
  readonly broadcasting: () => readonly [ReadonlyArray<number>, ReadonlyArray<number>];
  readonly tensor: (shape: ReadonlyArray<number>, dtype: DType, numbers?: Numbers) => Tensor;
  /** A number of a type. */
  readonly number: (value: number, dtype: DType) => Tensor;
  /** A shape as a tensor. */
  readonly shapeTensor: (shape: ReadonlyArray<number>) => Tensor;
  /** Like `tensor`, with no number twice. */
  readonly distinct: (shape: ReadonlyArray<number>, dtype: DType) => Tensor;
  /** Numbers that are on no grid, for comparisons within a tolerance. */
  readonly reals: (shape: ReadonlyArray<number>, dtype: DType, low: number, high: number) => Tensor;
}

const DIMS = [1, 2, 3, 3, 5];
const SPECIAL = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
const SPECIAL_CHANCE = 0.15;
const EMPTY_CHANCE = 0.02;
const EXTREME_CHANCE = 0.2;

/** The extreme whole numbers of a type: the ends of its range, and numbers that no double holds. */
function hardNumbers(dtype: DType): ReadonlyArray<bigint> {
  const { min, max } = dtypeInfo(dtype);
  const [low, high] = [BigInt(min), BigInt(max)];
  const ends = [high, high - 1n, low, low + 1n];
  if (!isBig(dtype)) return ends;
  const beyond = 2n ** 53n + 1n;
  return [...ends, beyond, beyond + 1n, low < 0n ? -beyond : 3n * beyond];
}

/** The number of elements of a shape. */
export const sizeOf = (shape: ReadonlyArray<number>): number =>
  shape.reduce((size, dim) => size * dim, 1);

/** A source of random choices from a seed. */
export function makeDraw(seed: number): Draw {
  const random = mulberry32(seed);
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const chance = (probability: number): boolean => random() < probability;
  const pick = <A>(list: ReadonlyArray<A>): A => list[int(0, list.length - 1)] as A;
  const permutation = (count: number): ReadonlyArray<number> => {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = int(0, i);
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    return order;
  };
  const subset = (count: number): ReadonlyArray<number> => {
    const some = Array.from({ length: count }, (_, i) => i).filter(() => chance(0.5));
    return some.length === 0 && count > 0 ? [int(0, count - 1)] : some;
  };
  const dim = (): number => pick(DIMS);
  const shape = (low = 0, high = 4): ReadonlyArray<number> =>
    Array.from({ length: int(low, high) }, dim);
  const sparse = (low = 0, high = 4): ReadonlyArray<number> =>
    shape(low, high).map((size) => (chance(EMPTY_CHANCE) ? 0 : size));
  const broadcasting = (): readonly [ReadonlyArray<number>, ReadonlyArray<number>] => {
    const whole = sparse();
    const part = (): ReadonlyArray<number> =>
      whole.map((size) => (chance(0.25) ? 1 : size)).slice(chance(0.3) ? int(0, whole.length) : 0);
    return chance(0.5) ? [whole, part()] : [part(), whole];
  };
  const element = (dtype: DType, numbers: Numbers): number | bigint => {
    if (dtype === 'bool') return int(0, 1);
    if (isFloat(dtype) && numbers.special === true && chance(SPECIAL_CHANCE)) return pick(SPECIAL);
    if (numbers.extreme === true && isInteger(dtype) && chance(EXTREME_CHANCE)) {
      return pick(hardNumbers(dtype));
    }
    const step = isFloat(dtype) ? (numbers.step ?? 0.125) : 1;
    const min = numbers.min ?? (dtype.startsWith('uint') ? 0 : -8);
    const found = int(Math.ceil(min / step), Math.floor((numbers.max ?? 8) / step)) * step;
    return found === 0 && numbers.nonZero === true ? step : found;
  };
  return {
    int,
    chance,
    pick,
    permutation,
    subset,
    dim,
    shape,
    sparse,
    broadcasting,
    tensor: (dims, dtype, numbers = {}) =>
      tensor(
        Array.from({ length: sizeOf(dims) }, () => element(dtype, numbers)),
        dims,
        dtype,
      ),
    number: (value, dtype) => tensor([value], [], dtype),
    shapeTensor: (dims) => tensor(dims, [dims.length], 'int64'),
    distinct: (dims, dtype) => {
      const count = sizeOf(dims);
      const step = isFloat(dtype) ? 0.125 : 1;
      const values = permutation(count).map((i) => (i - Math.floor(count / 2)) * step);
      return tensor(values, dims, dtype);
    },
    reals: (dims, dtype, low, high) =>
      tensor(
        Array.from({ length: sizeOf(dims) }, () => low + (high - low) * random()),
        dims,
        dtype,
      ),
  };
}
