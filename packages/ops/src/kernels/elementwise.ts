/**
 * Maps of one, two and three tensors, with broadcasting.
 *
 * A map takes a function of numbers, or of bigints for 64-bit integers, and the type of the result:
 * storing an element rounds or wraps it to that type. For float16 and bfloat16 the function sees
 * float32 values, and its value is rounded to float32 and then once to the type.
 */
import { invariant } from '@baton/base';
import {
  broadcastShapes,
  broadcastView,
  collapseLoops,
  type DType,
  forEachRow,
  isBig,
  isSplat,
  type NumberData,
  reshapeView,
  type Shape,
  SPLAT_THRESHOLD,
  shapeSize,
  sliceView,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import { finish, loadData, resultBuffer } from './values.ts';

/** What a number becomes, and what a bigint does; a comparison gives 0 or 1 for both. */
export interface UnaryRule {
  readonly number: (x: number) => number;
  readonly big?: (x: bigint) => bigint | number;
}

/** A rule for two operands. */
export interface BinaryRule {
  readonly number: (x: number, y: number) => number;
  readonly big?: (x: bigint, y: bigint) => bigint | number;
}

/** A map of one tensor; the result has type `out`, or the operand's. */
export function mapUnary(x: Tensor, rule: UnaryRule, out: DType = x.dtype): Tensor {
  const apply = isBig(x.dtype) ? rule.big : rule.number;
  return mapElements([x], apply as Apply | undefined, out);
}

/** A map of two tensors of one type that broadcast; the result has type `out`, or theirs. */
export function mapBinary(a: Tensor, b: Tensor, rule: BinaryRule, out: DType = a.dtype): Tensor {
  const apply = isBig(a.dtype) ? rule.big : rule.number;
  return mapElements([a, b], apply as Apply | undefined, out);
}

/** `x` where the condition is not 0, else `y`; all three broadcast. */
export function select(condition: Tensor, x: Tensor, y: Tensor): Tensor {
  // A condition of 64-bit integers reads as bigints, so it is compared in its own type.
  const flags = mapUnary(condition, { number: isNonZero, big: isNonZeroBig }, 'bool');
  const pick = (c: number, left: unknown, right: unknown) => (c !== 0 ? left : right);
  return mapElements([flags, x, y], pick as unknown as Apply, x.dtype);
}

/** The shape that all operands broadcast to. Type relations have checked that there is one. */
function commonShape(operands: ReadonlyArray<Tensor>): number[] {
  return operands.reduce<number[]>((shape, t) => {
    const next = broadcastShapes(shape, t.shape);
    invariant(next !== undefined, 'operands of a kernel broadcast');
    return next;
  }, []);
}

/**
 * Of one, two or three elements, numbers or bigints as the storage holds. It is given no more than
 * that: `Math.max` would take a third one into account.
 */
type Apply = (...elements: number[]) => number;

function mapElements(
  operands: ReadonlyArray<Tensor>,
  apply: Apply | undefined,
  out: DType,
): Tensor {
  invariant(apply !== undefined, 'a kernel has a rule for its element type');
  const shape = commonShape(operands);
  const count = shapeSize(shape);
  if (count >= SPLAT_THRESHOLD && operands.every(isSplat)) {
    const one = mapElements(operands.map(firstElement), apply, out);
    return broadcastView(one, shape);
  }
  const buffer = resultBuffer(out, count);
  const views = operands.map((t) => broadcastView(t, shape));
  runLoops(
    shape,
    operands.map(loadData),
    views.map((t) => t.strides),
    views.map((t) => t.offset),
    apply,
    buffer,
  );
  return finish(buffer, shape, out);
}

function runLoops(
  shape: Shape,
  data: ReadonlyArray<TensorData>,
  strides: ReadonlyArray<Shape>,
  offsets: ReadonlyArray<number>,
  apply: Apply,
  out: TensorData,
): void {
  const nest = collapseLoops(shape, strides);
  const last = nest.shape.length - 1;
  const length = nest.shape[last] as number;
  const steps = nest.strides.map((list) => list[last] as number);
  const loop = loopFor(data, out);
  let to = 0;
  forEachRow(nest, offsets, (starts) => {
    loop(data, starts, steps, length, apply, out, to);
    to += length;
  });
}

type Loop = (
  data: ReadonlyArray<TensorData>,
  starts: ReadonlyArray<number>,
  steps: ReadonlyArray<number>,
  length: number,
  apply: Apply,
  out: TensorData,
  to: number,
) => void;

/**
 * The loop for these operands. float32 has its own copies of it: a loop that has seen many kinds of
 * storage is several times slower for all of them.
 */
function loopFor(data: ReadonlyArray<TensorData>, out: TensorData): Loop {
  const allFloat32 = out instanceof Float32Array && data.every((d) => d instanceof Float32Array);
  if (data.length === 1) return allFloat32 ? unaryFloat32 : unaryAny;
  if (data.length === 2) return allFloat32 ? binaryFloat32 : binaryAny;
  return ternaryAny;
}

const unaryFloat32: Loop = (data, starts, steps, length, apply, out, to) => {
  const x = data[0] as Float32Array;
  const z = out as Float32Array;
  const step = steps[0] as number;
  let i = starts[0] as number;
  for (let n = to; n < to + length; n++) {
    z[n] = apply(x[i] as number);
    i += step;
  }
};

const unaryAny: Loop = (data, starts, steps, length, apply, out, to) => {
  const x = data[0] as NumberData;
  const z = out as NumberData;
  const step = steps[0] as number;
  let i = starts[0] as number;
  for (let n = to; n < to + length; n++) {
    z[n] = apply(x[i] as number);
    i += step;
  }
};

const binaryFloat32: Loop = (data, starts, steps, length, apply, out, to) => {
  const x = data[0] as Float32Array;
  const y = data[1] as Float32Array;
  const z = out as Float32Array;
  const xStep = steps[0] as number;
  const yStep = steps[1] as number;
  let i = starts[0] as number;
  let j = starts[1] as number;
  for (let n = to; n < to + length; n++) {
    z[n] = apply(x[i] as number, y[j] as number);
    i += xStep;
    j += yStep;
  }
};

const binaryAny: Loop = (data, starts, steps, length, apply, out, to) => {
  const x = data[0] as NumberData;
  const y = data[1] as NumberData;
  const z = out as NumberData;
  const xStep = steps[0] as number;
  const yStep = steps[1] as number;
  let i = starts[0] as number;
  let j = starts[1] as number;
  for (let n = to; n < to + length; n++) {
    z[n] = apply(x[i] as number, y[j] as number);
    i += xStep;
    j += yStep;
  }
};

const ternaryAny: Loop = (data, starts, steps, length, apply, out, to) => {
  const c = data[0] as NumberData;
  const x = data[1] as NumberData;
  const y = data[2] as NumberData;
  const z = out as NumberData;
  let h = starts[0] as number;
  let i = starts[1] as number;
  let j = starts[2] as number;
  for (let n = to; n < to + length; n++) {
    z[n] = apply(c[h] as number, x[i] as number, y[j] as number);
    h += steps[0] as number;
    i += steps[1] as number;
    j += steps[2] as number;
  }
};

/** The one element of a splat, of rank 0. */
function firstElement(t: Tensor): Tensor {
  const ones = t.shape.map(() => 1);
  return reshapeView(
    sliceView(
      t,
      t.shape.map(() => 0),
      ones,
    ),
    [],
  );
}

const isNonZero = (x: number): number => (x !== 0 ? 1 : 0);
const isNonZeroBig = (x: bigint): number => (x !== 0n ? 1 : 0);
