/** `Slice`: bounds are attributes before 10, inputs from 10 on. */
import { anyDim, dimsEqual, type Expr } from '@baton/ir';
import { listOf, sizesOfInput } from '../families/sized.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const slice: OnnxImporter = {
  opType: 'Slice',
  convert: (context) => {
    if (context.version >= 10 && isOfRun(context)) return sliceOfRun(context);
    const bounds = sliceBounds(context);
    if (bounds === undefined) return undefined;
    const dims = context.dimsOf(context.input(0));
    const { starts, ends, steps } = bounds;
    const axes = bounds.axes.map((axis) => context.axis(axis, dims.length));
    if (context.hasFailed()) return undefined;
    if (new Set(axes).size < axes.length || axes.length !== starts.length) {
      return context.fail('ONNX_AXIS', 'expected an axis of its own for each start');
    }
    // For a start before the axis, ONNX takes its first element, and Relay none.
    const isFar = axes.some(
      (axis, i) => typeof dims[axis] !== 'number' && (steps[i] ?? 1) < 0 && (starts[i] ?? 0) < -1,
    );
    if (isFar) return context.unknown('expected known sizes to slice backwards from such a start');
    const bound = axes.map((axis, i) => {
      const [from, to, step] = [starts[i] ?? 0, ends[i] ?? 0, steps[i] ?? 1];
      const dim = dims[axis];
      return typeof dim === 'number' ? clamped(from, to, step, dim) : openBounds(from, to, step);
    });
    const begin = bound.map(([first]) => first);
    const end = bound.map(([, last]) => last);
    return context.call('strided_slice', [context.input(0)], { begin, end, strides: steps, axes });
  },
};

/** Whether the start or the end of an axis, or a step, is no number. */
const isOfRun = (context: NodeContext): boolean =>
  [1, 2, 4].some((index) => {
    const bound = context.optional(index);
    return bound !== undefined && context.valueOf(bound) === undefined;
  });

/** A slice whose bounds the run computes: of all of an axis, of a part from 0 on, or of any part. */
function sliceOfRun(context: NodeContext): Expr | undefined {
  const x = context.input(0);
  const dims = context.dimsOf(x);
  const [starts, ends] = [sizesOfInput(context, 1), sizesOfInput(context, 2)];
  if (context.hasFailed()) return undefined;
  if (starts === undefined || ends === undefined) {
    return context.fail('ONNX_INPUTS', 'expected as many starts as ends');
  }
  const axes = (context.ints(3) ?? starts.map((_, i) => i)).map((axis) =>
    context.axis(axis, dims.length),
  );
  const steps = context.sizes(4) ?? starts.map(() => 1);
  if (context.hasFailed()) return undefined;
  if (new Set(axes).size < axes.length || axes.length !== starts.length) {
    return context.fail('ONNX_AXIS', 'expected an axis of its own for each start');
  }
  const isWhole = axes.every(
    (axis, i) =>
      starts[i] === 0 && steps[i] === 1 && dimsEqual(ends[i] ?? anyDim, dims[axis] ?? anyDim),
  );
  if (isWhole && context.optional(4) === undefined) return x;
  const strides =
    context.optional(4) ??
    listOf(
      context,
      starts.map(() => 1),
    );
  return context.call('dyn.strided_slice', [x, context.input(1), context.input(2), strides], {
    axes,
  });
}

interface Bounds {
  readonly starts: ReadonlyArray<number>;
  readonly ends: ReadonlyArray<number>;
  readonly axes: ReadonlyArray<number>;
  readonly steps: ReadonlyArray<number>;
}

function sliceBounds(context: NodeContext): Bounds | undefined {
  const fromInputs = context.version >= 10;
  const list = (name: string, index: number): ReadonlyArray<number> | undefined =>
    fromInputs ? context.ints(index) : context.attributes.ints(name);
  const starts = list('starts', 1);
  const ends = list('ends', 2);
  const axes = list('axes', 3);
  const steps = fromInputs ? context.ints(4) : undefined;
  if (context.hasFailed()) return undefined;
  if (starts === undefined || ends === undefined || starts.length !== ends.length) {
    return context.fail('ONNX_INPUTS', 'expected as many starts as ends');
  }
  const ones = starts.map(() => 1);
  if (steps?.includes(0) || (steps ?? ones).length !== starts.length) {
    return context.fail('ONNX_INPUTS', 'expected a step other than 0 for each start');
  }
  return { starts, ends, axes: axes ?? starts.map((_, i) => i), steps: steps ?? ones };
}

type Range = readonly [first: number, last: number];

/** Relay refuses a slice that begins past its end; in ONNX it has no elements. */
const EMPTY: Range = [0, 0];

/** Bounds inside an axis, clamped as in ONNX; −(dim + 1) ends before its first element. */
function clamped(from: number, to: number, step: number, dim: number): Range {
  const clamp = (bound: number, low: number, high: number): number =>
    Math.min(high, Math.max(low, bound < 0 ? bound + dim : bound));
  const most = step > 0 ? dim : dim - 1;
  const [first, last] = [clamp(from, 0, most), clamp(to, step > 0 ? 0 : -1, most)];
  if (dim === 0 || (last - first) * step <= 0) return EMPTY;
  return [first, last < 0 ? -(dim + 1) : last];
}

/** Bounds of an axis of any size. */
function openBounds(from: number, to: number, step: number): Range {
  const isEmpty = from < 0 === to < 0 && (to - from) * step <= 0;
  return isEmpty ? EMPTY : [withinSafe(from), withinSafe(to)];
}

/** A bound beyond every axis, such as the largest int64, as an integer for attributes. */
const withinSafe = (bound: number): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, bound));
