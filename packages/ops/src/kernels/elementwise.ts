/**
 * Maps tensors by scalar expressions, with broadcasting: storing an element rounds or wraps it to
 * the dtype of the result. For float16 and bfloat16 the expression reads float32 values, and its
 * value is rounded to float32, then to the dtype.
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
  SPLAT_THRESHOLD,
  shapeSize,
  sliceView,
  type Tensor,
} from '@baton/tensor';
import { isTruth, math, type Scalar, x, y, z } from '../scalar/expr.ts';
import { mapLoop, onElements } from './loops.ts';
import { finish, loadData, resultBuffer } from './values.ts';

/**
 * An expression of tensors of one dtype that broadcast, in that dtype; a boolean as bool. A scalar
 * argument of an operator is a tensor of rank 0.
 */
export const mapScalar = (
  expr: Scalar,
  operands: readonly [Tensor, ...Tensor[]],
  memory: Memory = heap,
): Tensor => mapElements(expr, operands, operands[0].dtype, memory);

/** `x` where the condition is not 0, else `y`; all three broadcast. */
export function select(condition: Tensor, x: Tensor, y: Tensor, memory: Memory = heap): Tensor {
  // A 64-bit condition holds bigints, so it is compared in its own dtype.
  const flags = isBig(condition.dtype) ? mapScalar(NOT_ZERO, [condition], memory) : condition;
  return mapElements(SELECT, [flags, x, y], x.dtype, memory);
}

export const SELECT: Scalar = math.select(x, y, z);

const NOT_ZERO = math.notEqual(x, 0);

/** The type relations have checked that the operands broadcast. */
function commonShape(operands: ReadonlyArray<Tensor>): number[] {
  return operands.reduce<number[]>((shape, t) => {
    const next = broadcastShapes(shape, t.shape);
    invariant(next !== undefined, 'operands of a kernel broadcast');
    return next;
  }, []);
}

function mapElements(
  expr: Scalar,
  operands: ReadonlyArray<Tensor>,
  dtype: DType,
  memory: Memory,
): Tensor {
  const shape = commonShape(operands);
  const count = shapeSize(shape);
  if (count >= SPLAT_THRESHOLD && operands.every(isSplat)) {
    return broadcastView(mapElements(expr, operands.map(firstElement), dtype, memory), shape);
  }
  const out = isTruth(expr) ? 'bool' : dtype;
  const buffer = resultBuffer(out, count, memory);
  const data = operands.map((t) => loadData(t, memory));
  if (shape.length === 0) {
    // One element needs no loop.
    const apply = onElements(expr, dtype);
    invariant(apply !== undefined, 'an expression has a meaning for the type of its elements');
    const elements = operands.map((t, i) => data[i]?.[t.offset] as number);
    // A number or a bigint, by storage.
    buffer[0] = apply(...elements) as never;
    return finish(buffer, shape, out, memory);
  }
  const views = operands.map((t) => broadcastView(t, shape));
  const nest = collapseLoops(
    shape,
    views.map((t) => t.strides),
  );
  const last = nest.shape.length - 1;
  const length = nest.shape[last] as number;
  const steps = nest.strides.map((list) => list[last] as number);
  const loop = mapLoop(expr, dtype, data, steps, buffer);
  let to = 0;
  forEachRow(
    nest,
    views.map((t) => t.offset),
    (starts) => {
      loop(data, starts, steps, length, buffer, to);
      to += length;
    },
  );
  return finish(buffer, shape, out, memory);
}

/** The only element of a splat, as a tensor of rank 0. */
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
