/** Windows that move over spatial axes: the common part of convolutions and pools. */
import { type Dim, divideDims } from '@baton/ir';
import type { AttributeKinds } from '../node/attributes.ts';
import type { NodeContext } from '../node/operator.ts';
import { isIntegral } from './sized.ts';

/** Sizes, steps and paddings of windows, one for each spatial axis. */
export interface Windows {
  readonly kernel: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilations: ReadonlyArray<number>;
  /** Before each axis, then after each axis. */
  readonly pads: ReadonlyArray<number>;
}

/** The attributes that describe windows. */
export const WINDOW_ATTRIBUTES: AttributeKinds = {
  auto_pad: 'string',
  dilations: 'ints',
  kernel_shape: 'ints',
  pads: 'ints',
  strides: 'ints',
};

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
  const pads = padding(context, dims, { kernel: size, strides, dilations });
  return pads === undefined ? undefined : { kernel: size, strides, dilations, pads };
}

/** The reach of a window along one axis. */
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
): ReadonlyArray<number> | undefined {
  const rank = dims.length - 2;
  const none = new Array<number>(2 * rank).fill(0);
  const mode = context.attributes.string('auto_pad', 'NOTSET');
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

/** What remains of a size after as many steps as fit, if that is the same for all sizes. */
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
    const rest = remainder(size, stride);
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
