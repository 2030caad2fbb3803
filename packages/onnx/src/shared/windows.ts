/** Windows that move over spatial axes: the common part of convolutions and pools. */
import { type Dim, divideDims, type Expr } from '@baton/ir';
import { fromNumbers, type Tensor, tensor } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { isIntegral, listOf } from './sizes.ts';

/** Sizes, steps and paddings of windows, one for each spatial axis. */
export interface Windows {
  readonly kernel: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilations: ReadonlyArray<number>;
  /** Before each axis, then after each axis. */
  readonly pads: ReadonlyArray<number>;
}

/** Larger sizes are absurd, and their products would not be exact. */
const MAX_EXTENT: number = 2 ** 31;

/**
 * The windows of a node over data of these dimensions, batch and channels included. `kernel` is the
 * size implied by the weights.
 */
export function windows(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  kernel?: ReadonlyArray<number>,
  mode: string = context.attributes.string('auto_pad'),
): Windows | undefined {
  const rank = dims.length - 2;
  const { attributes } = context;
  if (rank < 1 || rank > 3) {
    return context.fail('ONNX_RANK', `expected 1 to 3 spatial axes, found ${rank}`);
  }
  const size = attributes.ints('kernel_shape') ?? kernel;
  if (size === undefined) return context.fail('ONNX_ATTRIBUTE', 'expected attribute kernel_shape');
  const ones = new Array<number>(rank).fill(1);
  const strides = attributes.ints('strides') ?? ones;
  const dilations = attributes.ints('dilations') ?? ones;
  const lists: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
    ['kernel_shape', size],
    ['strides', strides],
    ['dilations', dilations],
  ];
  for (const [name, list] of lists) {
    if (list.length !== rank || !list.every((n) => n >= 1 && n < MAX_EXTENT)) {
      return badList(context, name, `${rank} sizes of at least 1`, list);
    }
  }
  if (kernel !== undefined && size.some((n, axis) => n !== kernel[axis])) {
    return badList(context, 'kernel_shape', `the weight's size ${kernel.join(', ')}`, size);
  }
  const pads = padding(context, dims, { kernel: size, strides, dilations }, mode);
  return pads === undefined ? undefined : { kernel: size, strides, dilations, pads };
}

export interface Windowed {
  readonly x: Expr;
  readonly w: Windows;
  /** Whether the data has the padding of the node, of which a run decides how wide it is. */
  readonly isPadded: boolean;
  /** The width of the padding before a spatial axis. */
  readonly before: (axis: number) => Expr | number;
}

/**
 * The windows of a node over `x`. The padding of `auto_pad` may depend on sizes that only the run knows:
 * then the data is padded with `fill`.
 */
export function windowed(
  context: NodeContext,
  x: Expr,
  fill: number,
  kernel?: ReadonlyArray<number>,
): Windowed | undefined {
  const dims = context.dimsOf(x);
  if (!padsAtRun(context, dims, kernel)) {
    const w = windows(context, dims, kernel);
    return w && { x, w, isPadded: false, before: (axis) => w.pads[axis] ?? 0 };
  }
  const w = windows(context, dims, kernel, 'VALID');
  if (w === undefined) return undefined;
  const widths = sameWidths(context, x, w);
  const value = context.scalar(fill, context.dtypeOf(x));
  const padded = context.call('dyn.nn.pad', [x, widths, value]);
  const before = (axis: number): Expr =>
    context.formula('take(reshape(?widths, newshape=[-1]), ?at, axis=0)', {
      widths,
      at: context.scalar(2 * (axis + 2), 'int64'),
    });
  return { x: padded, w, isPadded: true, before };
}

/** Whether the padding of a node depends on sizes that only the run knows. */
export function padsAtRun(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  kernel: ReadonlyArray<Dim> = context.attributes.ints('kernel_shape') ?? [],
): boolean {
  const mode = context.attributes.string('auto_pad');
  if (mode !== 'SAME_UPPER' && mode !== 'SAME_LOWER') return false;
  const strides = context.attributes.ints('strides') ?? [];
  return dims.slice(2).some((size, axis) => {
    // A window of one place needs no padding.
    return kernel[axis] !== 1 && remainder(size, strides[axis] ?? 1) === undefined;
  });
}

/** The padding before and after each axis that makes ⌈size / stride⌉ windows fit. */
function sameWidths(context: NodeContext, x: Expr, w: Windows): Expr {
  const rank = w.kernel.length;
  const isUpper = context.attributes.string('auto_pad', '') === 'SAME_UPPER';
  const text = `
    %0 = strided_slice(shape_of(?x, dtype="int64"), begin=[2], end=?end);
    %1 = floor_divide(%0 - 1, ?strides) * ?strides + ?reaches;
    %2 = maximum(%1 - %0, 0);
    %3 = floor_divide(%2, 2);
    %4 = %2 - %3;
    concatenate((?none, stack(${isUpper ? '(%3, %4)' : '(%4, %3)'}, axis=1)), axis=0)`;
  return context.formula<string>(text, {
    x,
    end: [2 + rank],
    strides: listOf(context, w.strides),
    reaches: listOf(
      context,
      w.kernel.map((_, axis) => reach(w, axis)),
    ),
    none: context.constant(tensor([0, 0, 0, 0], [2, 2], 'int64')),
  });
}

interface WindowRow {
  readonly count: number;
  readonly cells: number;
  readonly stride: number;
  readonly dilation?: number;
  readonly start?: number;
}

/** The index of each cell of each window. */
export function windowCells(
  { room }: Pick<NodeContext, 'room'>,
  { count, cells, stride, dilation = 1, start = 0 }: WindowRow,
): Float64Array {
  room(count, cells);
  const at = (i: number): number => Math.floor(i / cells) * stride + (i % cells) * dilation + start;
  return Float64Array.from({ length: count * cells }, (_, i) => at(i));
}

/** Those indices as a matrix with a row for each window. */
export const windowIndices = <E>(
  context: Pick<NodeContext, 'room'> & { readonly constant: (value: Tensor) => E },
  row: WindowRow,
): E => context.constant(fromNumbers(windowCells(context, row), [row.count, row.cells], 'int64'));

export const reach = (w: Omit<Windows, 'pads'>, axis: number): number =>
  ((w.kernel[axis] ?? 1) - 1) * (w.dilations[axis] ?? 1) + 1;

function badList(
  context: NodeContext,
  name: string,
  expected: string,
  found: ReadonlyArray<number>,
): undefined {
  const shown = found.slice(0, 8).join(', ');
  return context.fail(
    'ONNX_ATTRIBUTE',
    `expected attribute ${name} of ${expected}, found ${shown}`,
  );
}

function padding(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  w: Omit<Windows, 'pads'>,
  mode: string,
): ReadonlyArray<number> | undefined {
  const rank = dims.length - 2;
  const none = new Array<number>(2 * rank).fill(0);
  switch (mode) {
    case 'VALID':
      return none;
    case 'SAME_UPPER':
    case 'SAME_LOWER':
      return samePadding(context, dims.slice(2), w, mode === 'SAME_UPPER');
    case '':
    case 'NOTSET': {
      const pads = context.attributes.ints('pads') ?? none;
      const fits = pads.length === 2 * rank && pads.every((n) => n >= 0 && n < MAX_EXTENT);
      return fits ? pads : badList(context, 'pads', `${2 * rank} sizes of at least 0`, pads);
    }
    default:
      return context.fail('ONNX_ATTRIBUTE', 'expected auto_pad NOTSET, VALID or SAME_…');
  }
}

function remainder(size: Dim, step: number): number | undefined {
  if (typeof size === 'number') return size % step;
  const count = divideDims(size, step);
  return count !== undefined && isIntegral(count) ? 0 : undefined;
}

/** The padding that makes ⌈size / stride⌉ windows fit; `upper` puts an odd one after the data. */
function samePadding(
  context: NodeContext,
  sizes: ReadonlyArray<Dim>,
  w: Omit<Windows, 'pads'>,
  upper: boolean,
): ReadonlyArray<number> | undefined {
  const begin: number[] = [];
  const end: number[] = [];
  for (const [axis, size] of sizes.entries()) {
    const stride = w.strides[axis] ?? 1;
    const rest = reach(w, axis) > 1 ? remainder(size, stride) : 0;
    if (rest === undefined) {
      return context.unknown(
        `expected a known size of axis ${axis + 2} for auto_pad with stride ${stride}`,
      );
    }
    const total = Math.max(0, reach(w, axis) - (rest === 0 ? stride : rest));
    const half = Math.floor(total / 2);
    begin.push(upper ? half : total - half);
    end.push(upper ? total - half : half);
  }
  return [...begin, ...end];
}

export function convolved(context: NodeContext, x: Expr, weight: Expr): Expr | undefined {
  const dims = context.dimsOf(x);
  const weightShape = context.shapeOf(weight);
  if (weightShape === undefined) return context.unknown('expected a weight of known size');
  if (weightShape.length !== dims.length) {
    const found = weightShape.length;
    return context.fail('ONNX_RANK', `expected a weight of rank ${dims.length}, found ${found}`);
  }
  const over = windowed(context, x, 0, weightShape.slice(2));
  if (over === undefined) return undefined;
  const { w } = over;
  const groups = context.attributes.int('group');
  if (groups < 1) return context.fail('ONNX_ATTRIBUTE', `expected 1 group or more: ${groups}`);
  return context.call(`nn.conv${dims.length - 2}d`, [over.x, weight], {
    strides: w.strides,
    padding: w.pads,
    dilation: w.dilations,
    groups,
    channels: weightShape[0] ?? 0,
    kernel_size: w.kernel,
  });
}
