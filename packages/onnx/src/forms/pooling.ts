/** Pools over windows, over whole images, and to a given size. */
import { isStaticDim } from '@baton/ir';
import { paddingLists, type SpatialRank } from '@baton/ops';
import { isFloat } from '@baton/tensor';
import { int, ints } from '../node/attribute-values.ts';
import type {
  NodeAttributeValues,
  OnnxWriter,
  Operand,
  WriterContext,
  Written,
} from '../node/writer.ts';
import { viaPlainLayout } from './layout.ts';
import { resultDims } from './types.ts';

/** The particulars of a pool over `rank` axes. */
export interface PoolForm {
  readonly opType: 'MaxPool' | 'AveragePool';
  readonly rank: SpatialRank;
}

/** The export of a pool over windows. */
export const pooling = (op: string, form: PoolForm): OnnxWriter => ({
  op,
  write: (context) => viaPlainLayout(context, op, form.rank) ?? windowed(context, form),
});

function windowed(context: WriterContext, { opType, rank }: PoolForm): Written {
  const { attrs } = context;
  const isMean = opType === 'AveragePool';
  const dilations = attrs.ints('dilation');
  const isDilated = dilations.some((dilation) => dilation !== 1);
  if (isMean && isDilated && !context.since(19, 'AveragePool with dilations')) return undefined;
  const roundsUp = roundedUp(context, rank);
  if (roundsUp === undefined) return undefined;
  const attributes: NodeAttributeValues = {
    kernel_shape: ints(attrs.ints('pool_size')),
    strides: ints(attrs.ints('strides')),
    pads: ints(paddingLists(attrs.ints('padding'), rank)),
    ...(isDilated ? { dilations: ints(dilations) } : {}),
    ...(roundsUp ? { ceil_mode: int(1) } : {}),
    ...(isMean ? { count_include_pad: int(attrs.bool('count_include_pad')) } : {}),
  };
  return context.node(opType, [context.input(0)], attributes);
}

/**
 * Whether the number of windows is rounded up. ONNX drops a last window that would begin behind the
 * data, and Relay does not: such a pool is a failure.
 */
function roundedUp(context: WriterContext, rank: number): boolean | undefined {
  const { attrs } = context;
  if (!attrs.bool('ceil_mode')) return false;
  const pads = paddingLists(attrs.ints('padding'), rank);
  const [data, result] = [context.dims(context.input(0)).slice(2), resultDims(context).slice(2)];
  let isExact = true;
  for (const [axis, stride] of attrs.ints('strides').entries()) {
    const [size, count] = [data[axis], result[axis]];
    const [before = 0, after = 0] = [pads[axis], pads[axis + rank]];
    const reach =
      ((attrs.ints('pool_size')[axis] ?? 1) - 1) * (attrs.ints('dilation')[axis] ?? 1) + 1;
    if (size === undefined || !isStaticDim(size) || count === undefined || !isStaticDim(count)) {
      isExact = false;
      if (after + stride > reach) return context.unknown(OPEN);
      continue;
    }
    if ((count - 1) * stride >= size + before) {
      return context.fail('ONNX drops a last window that begins behind the data');
    }
    const whole = Math.floor((size + before + after - reach) / stride) + 1;
    if (whole !== count) isExact = false;
  }
  return !isExact;
}

const OPEN = 'expected known sizes: ONNX drops a last window that begins behind the data';

/** The export of a pool over all of each image. */
export const globalPooling = (op: string, opType: string): OnnxWriter => ({
  op,
  write: (context) => viaPlainLayout(context, op, 2) ?? context.node(opType, [context.input(0)]),
});

/** The export of a pool to a given size: of whole images, or with windows that are all alike. */
export const adaptivePooling = (op: string, { opType, rank }: PoolForm): OnnxWriter => ({
  op,
  write: (context) => viaPlainLayout(context, op, rank) ?? toSize(context, opType),
});

function toSize(context: WriterContext, opType: PoolForm['opType']): Written {
  const x = context.input(0);
  const counts = resultDims(context).slice(2);
  if (counts.every((count) => count === 1)) return context.node(`Global${opType}`, [x]);
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const sizes = shape.slice(2).map((size, axis) => size / Number(counts[axis]));
  if (!sizes.every(Number.isInteger)) {
    const dtype = context.dtype(x);
    // The mean of integers is rounded here, and truncated by a reduction.
    return opType === 'MaxPool' || isFloat(dtype)
      ? ofSlices(context, x, opType, shape, counts.map(Number))
      : context.fail(`ONNX has no ${opType} of ${dtype}`);
  }
  return context.node(opType, [x], { kernel_shape: ints(sizes), strides: ints(sizes) });
}

/** A pool whose windows differ in size: axis by axis, each cell is a reduction of a slice. */
function ofSlices(
  context: WriterContext,
  x: Operand,
  opType: PoolForm['opType'],
  shape: ReadonlyArray<number>,
  counts: ReadonlyArray<number>,
): Operand {
  const { call } = context;
  const reduce = opType === 'MaxPool' ? 'max' : 'mean';
  return counts.reduce((whole, count, i) => {
    const [axis, size] = [i + 2, shape[i + 2] ?? 1];
    const cells = Array.from({ length: count }, (_, cell) => {
      const begin = [Math.floor((cell * size) / count)];
      const end = [Math.ceil(((cell + 1) * size) / count)];
      const slice = call('strided_slice', [whole], { begin, end, axes: [axis] });
      return call(reduce, [slice], { axis: [axis], keepdims: true });
    });
    return call('concatenate', [cells], { axis });
  }, x);
}
