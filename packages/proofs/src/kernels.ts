/**
 * How kernels arrange the elements of their arguments. A movement shows it on numbered elements, a sum
 * and a product on tensors with a single 1. Each is found once for all arguments of the same types.
 */
import { isLeft } from '@baton/base';
import type { Attrs, OpTable } from '@baton/ir';
import { evaluateOp, type OpValue } from '@baton/ops';
import {
  fromNumbers,
  isFloat,
  isTensor,
  type Shape,
  shapeSize,
  type Tensor,
  toNumbers,
  zeros,
} from '@baton/tensor';
import { attributeText } from './attributes.ts';
import {
  isTerms,
  mapTensors,
  type TermTensor,
  type TermValue,
  tensorsIn,
  valueText,
} from './values.ts';

/** Thrown where a program has no meaning in terms; the message says why. */
export class NoMeaning extends Error {}

/** An operator with its attributes. */
export interface Kernel {
  readonly ops: OpTable;
  readonly name: string;
  readonly attrs: Attrs;
}

/**
 * What a kernel computes of numbers.
 *
 * **Errors** throws `NoMeaning` if it computes nothing.
 */
export function resultOf({ ops, name, attrs }: Kernel, args: ReadonlyArray<OpValue>): OpValue {
  const value = evaluateOp(ops, name, attrs, args);
  if (isLeft(value)) throw new NoMeaning(`${name}: ${value.left[0]?.message}`);
  return value.right;
}

/** A result with something in the place of each element. */
export interface Arranged<T> {
  readonly _tag: 'Arranged';
  readonly shape: Shape;
  readonly elements: ReadonlyArray<T>;
}

/** What a movement moves. */
export interface Movable {
  /** The arguments as numbers; `undefined` for those that are moved. */
  readonly places: ReadonlyArray<OpValue | undefined>;
  readonly args: ReadonlyArray<TermValue>;
}

/** The element of the moved arguments that stands at a place, or a number of the operator's own. */
export type Origin = { readonly at: number } | { readonly number: number };

/** A tensor of origins, or a tuple of such. */
export type Origins = Arranged<Origin> | ReadonlyArray<Origins>;

/** What stands where in the result of a movement. */
export const originsOf: (kernel: Kernel, movable: Movable) => Origins = once(
  ({ args, places }) => args.map((arg, i) => textOf(places[i], arg)).join(' '),
  (kernel, { args, places }) => {
    const moved = args.filter((_, i) => places[i] === undefined).flatMap(tensorsIn);
    const count = moved.reduce((sum, { shape }) => sum + shapeSize(shape), 0);
    const run = (numberOf: (at: number) => number): OpValue => {
      let at = 0;
      const numbered = ({ shape, dtype }: TermTensor): Tensor => {
        const numbers = Array.from({ length: shapeSize(shape) }, () => numberOf(at++));
        return fromNumbers(numbers, shape, dtype === 'float32' ? dtype : 'float64');
      };
      return resultOf(
        kernel,
        args.map((arg, i) => widened(places[i]) ?? mapTensors(arg, numbered)),
      );
    };
    return originsIn(
      kernel.name,
      count,
      run((at) => FIRST + at),
      run((at) => count - at),
    );
  },
);

/** Known floats as numbers of the type of those that are moved. */
function widened(value: OpValue | undefined): OpValue | undefined {
  if (value === undefined) return undefined;
  if (!isTensor(value)) return value.map((field) => widened(field) as OpValue);
  const { dtype } = value;
  if (!isFloat(dtype) || dtype === 'float32') return value;
  return fromNumbers([...toNumbers(value)], value.shape, 'float64');
}

/** The number of the first element: no operator has such a number of its own. */
const FIRST = 1_000_003;

/** The origins in results for large numbers and for small ones reversed. */
function originsIn(name: string, count: number, first: OpValue, second: OpValue): Origins {
  if (!isTensor(first) || !isTensor(second)) {
    const others = second as ReadonlyArray<OpValue>;
    return (first as ReadonlyArray<OpValue>).map((field, i) =>
      originsIn(name, count, field, others[i] as OpValue),
    );
  }
  const others = toNumbers(second);
  const elements = [...toNumbers(first)].map((value, i): Origin => {
    if (Object.is(others[i], value)) return { number: value };
    const at = value - FIRST;
    const isOne = Number.isInteger(at) && at >= 0 && at < count;
    if (!isOne || others[i] !== count - at) throw new NoMeaning(`${name} computes`);
    return { at };
  });
  return { _tag: 'Arranged', shape: first.shape, elements };
}

/** A term of a sum: an element of the first argument, by its number. */
export interface Weighted {
  readonly coefficient: number;
  readonly at: number;
}

/** What a sum adds up. */
export interface Summed {
  readonly x: TermTensor;
  /** The other arguments. */
  readonly others: ReadonlyArray<OpValue>;
}

/** The elements that each element of a sum adds up. */
export const sumsOf: (kernel: Kernel, summed: Summed) => Arranged<ReadonlyArray<Weighted>> = once(
  ({ x, others }) => `${x.shape} ${others.map(valueText)}`,
  (kernel, { x, others }) => {
    const run = (data: Tensor): Tensor => resultOf(kernel, [data, ...others]) as Tensor;
    const { shape } = run(zeros(x.shape, 'float64'));
    const elements = Array.from({ length: shapeSize(shape) }, (): Weighted[] => []);
    for (let at = 0; at < shapeSize(x.shape); at++) {
      for (const [o, coefficient] of toNumbers(run(unit(x, at))).entries()) {
        if (coefficient !== 0) elements[o]?.push({ coefficient, at });
      }
    }
    return { _tag: 'Arranged', shape, elements };
  },
);

/** A tensor with a single 1. */
function unit({ shape }: TermTensor, at: number): Tensor {
  const values = new Array<number>(shapeSize(shape)).fill(0);
  values[at] = 1;
  return fromNumbers(values, shape, 'float64');
}

/** A factor of each argument, by its number. */
export type Pair = readonly [x: number, w: number];

/** The weights that one run of a kernel tells apart: each has a bit of a double. */
const BITS = 48;

/** The pairs of elements whose products each element of the result adds up. */
export const pairsOf: (
  kernel: Kernel,
  factors: readonly [TermTensor, TermTensor],
) => Arranged<ReadonlyArray<Pair>> = once(
  ([x, w]) => `${x.shape} ${w.shape}`,
  (kernel, [x, w]) => {
    const run = (data: Tensor, weights: Tensor): Tensor =>
      resultOf(kernel, [data, weights]) as Tensor;
    const { shape } = run(zeros(x.shape, 'float64'), zeros(w.shape, 'float64'));
    const elements = Array.from({ length: shapeSize(shape) }, (): Pair[] => []);
    const count = shapeSize(w.shape);
    const blocks = Array.from({ length: Math.ceil(count / BITS) }, (_, k) => k * BITS);
    const powers = blocks.map((from) => powersFrom(from, w.shape));
    for (let i = 0; i < shapeSize(x.shape); i++) {
      for (const [k, from] of blocks.entries()) {
        for (const [o, sum] of toNumbers(run(unit(x, i), powers[k] as Tensor)).entries()) {
          for (const bit of bitsOf(sum, kernel.name)) elements[o]?.push([i, from + bit]);
        }
      }
    }
    return { _tag: 'Arranged', shape, elements };
  },
);

/** A power of 2 for each of the elements from one on: a sum of them says which are in it. */
function powersFrom(from: number, shape: Shape): Tensor {
  const isIn = (at: number): boolean => at >= from && at < from + BITS;
  const powers = Array.from({ length: shapeSize(shape) }, (_, at) =>
    isIn(at) ? 2 ** (at - from) : 0,
  );
  return fromNumbers(powers, shape, 'float64');
}

/** The bits of a sum of powers of 2. */
function bitsOf(sum: number, name: string): ReadonlyArray<number> {
  if (!Number.isSafeInteger(sum) || sum < 0 || sum >= 2 ** BITS)
    throw new NoMeaning(`no meaning of ${name}`);
  return [...BigInt(sum).toString(2)].reverse().flatMap((bit, at) => (bit === '1' ? [at] : []));
}

/** A function of a kernel and its arguments that is computed once for each text of these. */
function once<A, T>(
  textOf: (args: A) => string,
  make: (kernel: Kernel, args: A) => T,
): (kernel: Kernel, args: A) => T {
  const known = new WeakMap<OpTable, Map<string, T>>();
  return (kernel, args) => {
    const { ops, name, attrs } = kernel;
    const made = known.get(ops) ?? new Map<string, T>();
    known.set(ops, made);
    const key = `${name} ${attributeText(attrs)} ${textOf(args)}`;
    const value = made.get(key) ?? make(kernel, args);
    made.set(key, value);
    return value;
  };
}

/** Known numbers as a text, or the type of what is moved. */
const textOf = (numbers: OpValue | undefined, value: TermValue): string =>
  numbers === undefined ? typeText(value) : valueText(numbers);

const typeText = (value: TermValue): string =>
  isTerms(value) ? `${value.dtype}(${value.shape})` : `[${value.map(typeText)}]`;
