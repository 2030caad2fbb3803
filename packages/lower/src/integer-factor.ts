/**
 * Operands of products of integers: kernels multiply integers of at most 16 bits, and take a zero point
 * off those of 8 bits as they read them.
 */
import { centred } from '@baton/ops';
import {
  type DType,
  heap,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import type { Apply, Element } from './element.ts';
import { ITSELF } from './lower-map.ts';
import {
  compute,
  constantOf,
  constantWindow,
  dtypeAt,
  elementAt,
  isConstant,
  type Lowering,
  newBuffer,
  rangeIn,
  rangeOfWindow,
  shapeAt,
  stored,
} from './lowering.ts';
import { isWithinType, type Range, rangeOfType } from './range.ts';
import type { Window } from './window.ts';

/** An operand of a product. */
export interface Factor {
  readonly shape: Shape;
  /** Its value, if it is known before the first run. */
  readonly constant: Tensor | undefined;
  /** The operand, stored. */
  readonly window: () => Window;
}

/** An operand of integers, and the number that is taken off each. */
export interface IntegerFactor extends Factor {
  readonly dtype: DType;
  readonly zero: Window | undefined;
  /** A bound of the sizes of its integers without the zero point. */
  readonly most: number;
}

/**
 * A bound of sums of products with data of sizes up to `most`, each of which takes the weights of one place
 * along the first axis.
 */
export function sumMostOf(weight: Tensor, most: number): number {
  const inner = shapeSize(weight.shape.slice(1));
  let [greatest, sum, at] = [0, 0, 0];
  for (const x of toNumbers(weight)) {
    sum += Math.abs(Number(x));
    at++;
    if (at % inner !== 0) continue;
    greatest = Math.max(greatest, sum);
    sum = 0;
  }
  return greatest * most;
}

const sizeOf = ([least, most]: Range): number => Math.max(Math.abs(least), Math.abs(most));

const less = ([a, b]: Range, [c, d]: Range): Range => [a - d, b - c];

/** The types of integers that kernels read, and those from which they take a zero point. */
const READ: ReadonlyArray<DType> = ['int8', 'uint8', 'int16'];
const BYTES: ReadonlyArray<DType> = ['int8', 'uint8'];

/**
 * An operand without its zero point, which is another value and may lie along an axis of a constant.
 * `undefined` if not all of its integers are sure to have 16 bits.
 */
export function integerFactor(
  at: number,
  zero: number | undefined,
  axis: number,
  mayBeConstant: boolean,
  state: Lowering,
): IntegerFactor | undefined {
  const shape = shapeAt(at, state);
  const value = state.values[at];
  const isKnown =
    isConstant(value, state) && (zero === undefined || isConstant(state.values[zero], state));
  if (isKnown && mayBeConstant) {
    const whole = constantOf(value as Window, state);
    const point = zero === undefined ? undefined : constantOf(state.values[zero] as Window, state);
    const constant =
      point === undefined || isZero(point) ? whole : centred(whole, point, axis, heap);
    const range = rangeOfTensor(constant);
    if (!isWithinType(range, 'int16')) return undefined;
    const window = (): Window => constantWindow(constant, state);
    return { shape, constant, window, dtype: constant.dtype, zero: undefined, most: sizeOf(range) };
  }
  const seen =
    zero === undefined ? centredBytes(elementAt(at, state), state) : apart(at, zero, state);
  if (seen !== undefined) return { shape, constant: undefined, ...seen };
  if (zero !== undefined) return undefined;
  const element = elementAt(at, state);
  const range = rangeIn(element, state);
  if (!isWithinType(range, 'int16') || state.abilities.element(element) === undefined)
    return undefined;
  const window = (): Window => {
    const out = newBuffer('int16', shape, state);
    compute(
      { _tag: 'Apply', expr: ITSELF, of: 'int32', dtype: 'int16', args: [element] },
      out,
      state,
    );
    return out;
  };
  return {
    shape,
    constant: undefined,
    window,
    dtype: 'int16',
    zero: undefined,
    most: sizeOf(range),
  };
}

type Seen = Pick<IntegerFactor, 'dtype' | 'zero' | 'window' | 'most'>;

/** Bytes, and the value of rank 0 that is their zero point. */
function apart(at: number, zero: number, state: Lowering): Seen | undefined {
  const dtype = dtypeAt(at, state);
  const point = zeroOf(elementAt(zero, state), state);
  if (point === undefined || !BYTES.includes(dtype)) return undefined;
  const most = sizeOf(less(rangeOfType(dtype), point.range));
  return { dtype, zero: point.window, window: () => stored(at, state), most };
}

/** Integers that are read as they are, or bytes from which a number is taken, in int32. */
function centredBytes(element: Element, state: Lowering): Seen | undefined {
  const plain = loadIn(element);
  if (plain !== undefined && READ.includes(plain.dtype)) {
    const most = sizeOf(rangeOfType(plain.dtype));
    return { dtype: plain.dtype, zero: undefined, window: () => plain, most };
  }
  if (element._tag !== 'Apply' || element.of !== 'int32' || element.dtype !== 'int32')
    return undefined;
  const [data, point] = differenceIn(element) ?? [];
  const window = data && loadIn(data);
  const zero = point && zeroOf(point, state);
  if (window === undefined || zero === undefined || !BYTES.includes(window.dtype)) return undefined;
  const most = sizeOf(less(rangeOfType(window.dtype), zero.range));
  return { dtype: window.dtype, zero: zero.window, window: () => window, most };
}

/** The operands of a difference. */
function differenceIn({ expr, args }: Apply): readonly [Element, Element] | undefined {
  if (expr._tag !== 'Operation' || expr.name !== 'sub') return undefined;
  const [a, b] = expr.args.map((arg): Element | undefined => {
    if (arg._tag === 'Argument') return args['xyz'.indexOf(arg.name)];
    if (arg._tag !== 'Constant') return undefined;
    return { _tag: 'Literal', dtype: 'int32', value: arg.value };
  });
  return a && b && [a, b];
}

/** The window of which an element is, as it is or converted to int32. */
function loadIn(element: Element): Window | undefined {
  if (element._tag === 'Load') return element.window;
  if (element._tag !== 'Apply' || element.expr !== ITSELF || element.dtype !== 'int32')
    return undefined;
  const [arg] = element.args;
  return arg?._tag === 'Load' ? arg.window : undefined;
}

/** A number that may be taken from any byte in 16 bits: no window if it is 0. */
function zeroOf(
  element: Element,
  state: Lowering,
): { readonly window: Window | undefined; readonly range: Range } | undefined {
  if (element._tag === 'Literal') {
    const range: Range = [element.value, element.value];
    if (element.value === 0) return { window: undefined, range };
    if (!isRoomy(range)) return undefined;
    return { window: constantWindow(scalar(element.value, 'int32'), state), range };
  }
  const window = loadIn(element);
  if (window === undefined || !isOne(window)) return undefined;
  const range = rangeOfWindow(window, state);
  if (!isRoomy(range)) return undefined;
  return { window: { ...window, shape: [], strides: [] }, range };
}

/** Whether all places of a window are one. */
const isOne = ({ shape, strides }: Window): boolean =>
  shape.every((dim, axis) => dim === 1 || strides[axis] === 0);

const isRoomy = ([least, most]: Range): boolean =>
  isWithinType([-255 + least, 255 + most], 'int16');

const isZero = (t: Tensor): boolean => Array.from(toNumbers(t), Number).every((x) => x === 0);

function rangeOfTensor(t: Tensor): Range {
  let [least, most] = [0, 0];
  for (const x of toNumbers(t)) {
    const number = Number(x);
    if (number < least) least = number;
    if (number > most) most = number;
  }
  return [least, most];
}
