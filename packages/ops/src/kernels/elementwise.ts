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
  heap,
  isBig,
  isSplat,
  type Memory,
  reshapeView,
  type Shape,
  SPLAT_THRESHOLD,
  shapeSize,
  sliceView,
  type Tensor,
  type TensorData,
} from '@baton/tensor';
import { type Apply, mapLoop } from './loops.ts';
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

/** A rule for three operands. */
export interface TernaryRule {
  readonly number: (x: number, y: number, z: number) => number;
  readonly big?: (x: bigint, y: bigint, z: bigint) => bigint | number;
}

/** A map of one tensor; the result has type `out`, or the operand's. */
export function mapUnary(x: Tensor, memory: Memory, rule: UnaryRule, out: DType = x.dtype): Tensor {
  const apply = isBig(x.dtype) ? rule.big : rule.number;
  return mapElements([x], memory, apply as Apply | undefined, out);
}

/** A map of two tensors of one type that broadcast; the result has type `out`, or theirs. */
export function mapBinary(
  a: Tensor,
  b: Tensor,
  memory: Memory,
  rule: BinaryRule,
  out: DType = a.dtype,
): Tensor {
  const apply = isBig(a.dtype) ? rule.big : rule.number;
  return mapElements([a, b], memory, apply as Apply | undefined, out);
}

/**
 * A map of three tensors of one type that broadcast. What an operator takes as a number comes as a
 * tensor of rank 0: a rule that held it would be another one for each call.
 */
export function mapTernary(
  a: Tensor,
  b: Tensor,
  c: Tensor,
  memory: Memory,
  rule: TernaryRule,
): Tensor {
  const apply = isBig(a.dtype) ? rule.big : rule.number;
  return mapElements([a, b, c], memory, apply as Apply | undefined, a.dtype);
}

/** `x` where the condition is not 0, else `y`; all three broadcast. */
export function select(condition: Tensor, x: Tensor, y: Tensor, memory: Memory = heap): Tensor {
  // A condition of 64-bit integers reads as bigints, so it is compared in its own type.
  const flags = mapUnary(condition, memory, { number: isNonZero, big: isNonZeroBig }, 'bool');
  // Numbers or bigints: what is picked is not looked at.
  return mapElements([flags, x, y], memory, picked as Apply, x.dtype);
}

/** The shape that all operands broadcast to. Type relations have checked that there is one. */
function commonShape(operands: ReadonlyArray<Tensor>): number[] {
  return operands.reduce<number[]>((shape, t) => {
    const next = broadcastShapes(shape, t.shape);
    invariant(next !== undefined, 'operands of a kernel broadcast');
    return next;
  }, []);
}

function mapElements(
  operands: ReadonlyArray<Tensor>,
  memory: Memory,
  apply: Apply | undefined,
  out: DType,
): Tensor {
  invariant(apply !== undefined, 'a kernel has a rule for its element type');
  const shape = commonShape(operands);
  const count = shapeSize(shape);
  if (count >= SPLAT_THRESHOLD && operands.every(isSplat)) {
    const one = mapElements(operands.map(firstElement), memory, apply, out);
    return broadcastView(one, shape);
  }
  const buffer = resultBuffer(out, count, memory);
  const views = operands.map((t) => broadcastView(t, shape));
  runLoops(
    shape,
    operands.map((t) => loadData(t, memory)),
    views.map((t) => t.strides),
    views.map((t) => t.offset),
    apply,
    buffer,
  );
  return finish(buffer, shape, out, memory);
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
  const loop = mapLoop(apply, data, out);
  let to = 0;
  forEachRow(nest, offsets, (starts) => {
    loop(data, starts, steps, length, out, to);
    to += length;
  });
}

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

const picked = (flag: number, x: number, y: number): number => (flag !== 0 ? x : y);
const isNonZero = (x: number): number => (x !== 0 ? 1 : 0);
const isNonZeroBig = (x: bigint): number => (x !== 0n ? 1 : 0);
