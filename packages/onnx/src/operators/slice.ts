import type { NodeContext, OnnxOperator } from '../import/operator.ts';

/** `Slice` with constant bounds: attributes before 10, inputs from 10 on. */
export const slice: OnnxOperator = {
  domain: '',
  opType: 'Slice',
  versions: [1, 10, 11, 13],
  inputs: [1, 5],
  attributes: { starts: 'ints', ends: 'ints', axes: 'ints' },
  needs: ['strided_slice'],
  convert: (context) => {
    const bounds = sliceBounds(context);
    if (bounds === undefined) return undefined;
    const dims = context.dimsOf(context.input(0));
    const { starts, ends, steps } = bounds;
    const axes = bounds.axes.map((axis) => context.axis(axis, dims.length));
    if (context.hasFailed()) return undefined;
    if (new Set(axes).size < axes.length || axes.length !== starts.length) {
      return context.fail('ONNX_AXIS', 'expected an axis of its own for each start');
    }
    const begin: number[] = [];
    const end: number[] = [];
    for (const [i, axis] of axes.entries()) {
      const [from, to] = [starts[i] ?? 0, ends[i] ?? 0];
      const dim = dims[axis];
      const [first, last] =
        typeof dim === 'number' ? clamped(from, to, steps[i] ?? 1, dim) : [from, to];
      begin.push(first);
      end.push(last);
    }
    return context.call('strided_slice', [context.input(0)], { begin, end, strides: steps, axes });
  },
};

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

/** Bounds inside an axis, as Python clamps them; −(dim + 1) ends before its first element. */
function clamped(from: number, to: number, step: number, dim: number): readonly [number, number] {
  const [low, high] = step > 0 ? [0, dim] : [-1, dim - 1];
  const clamp = (bound: number): number =>
    Math.min(high, Math.max(low, bound < 0 ? bound + dim : bound));
  const [first, last] = [clamp(from), clamp(to)];
  return [first, last < 0 ? -(dim + 1) : last];
}
