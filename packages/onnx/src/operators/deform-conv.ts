/**
 * `DeformConv`: a convolution whose cells are moved by offsets. All windows side by side are one
 * image, sampled at the places of a grid, which a convolution of its windows meets once.
 */
import type { Expr } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const deformConv: OnnxImporter = {
  opType: 'DeformConv',
  convert: (context) => {
    const { attributes, call, input } = context;
    const [x, weight, offset] = [0, 1, 2].map((i) => context.shapeOf(input(i)));
    if (x === undefined || weight === undefined || offset === undefined) {
      return context.unknown('expected known sizes');
    }
    if (x.length !== 4) return context.fail('ONNX_UNSUPPORTED', 'expected images of two axes');
    const [batch = 1, channels = 1] = x;
    const [, , high = 1, wide = 1] = weight;
    const [, , rows = 1, columns = 1] = offset;
    const own = attributes.int('offset_group');
    const windows = { batch, groups: own, high, wide, rows, columns };
    const sampled = samples(context, windows, x);
    const mask = context.optional(4);
    const moved = mask
      ? call('multiply', [sampled, beside(context, mask, windows, [batch * own, 1])])
      : sampled;
    const image = call('reshape', [moved], {
      newshape: [batch, channels, rows * high, columns * wide],
    });
    const found = call('nn.conv2d', [image, input(1)], {
      strides: [high, wide],
      groups: attributes.int('group'),
    });
    const bias = context.optional(3);
    return bias ? call('nn.bias_add', [found, bias]) : found;
  },
};

/** The number of images, of groups that move together, of cells, and of windows. */
interface Windows {
  readonly batch: number;
  readonly groups: number;
  readonly high: number;
  readonly wide: number;
  readonly rows: number;
  readonly columns: number;
}

/** Numbers for each cell of each window, as an image of all windows side by side. */
function beside(
  { call }: NodeContext,
  numbers: Expr,
  { batch, groups, high, wide, rows, columns }: Windows,
  lead: ReadonlyArray<number>,
): Expr {
  const newshape = [batch, groups, high, wide, rows, columns];
  const parted = call('reshape', [numbers], { newshape });
  const turned = call('transpose', [parted], { axes: [0, 1, 4, 2, 5, 3] });
  return call('reshape', [turned], { newshape: [...lead, rows * high, columns * wide] });
}

/** The images at the moved places of all windows, for each group. */
function samples(context: NodeContext, windows: Windows, x: ReadonlyArray<number>): Expr {
  const { attributes, call, input } = context;
  const { batch, groups, high, wide, rows, columns } = windows;
  const [, channels = 1, height = 1, width = 1] = x;
  const newshape = [batch * groups, high * wide, 2, rows * columns];
  const pairs = call('reshape', [input(2)], { newshape });
  const pads = attributes.ints('pads') ?? [];
  const coordinate = (axis: 0 | 1, size: number, count: number, cells: number): Expr => {
    const one = call('strided_slice', [pairs], { begin: [axis], end: [axis + 1], axes: [2] });
    const offsets = beside(context, one, windows, [batch * groups]);
    const stride = attributes.ints('strides')?.[axis] ?? 1;
    const dilation = attributes.ints('dilations')?.[axis] ?? 1;
    context.room(count, cells);
    const start = Float64Array.from(
      { length: count * cells },
      (_, i) => Math.floor(i / cells) * stride + (i % cells) * dilation - (pads[axis] ?? 0),
    );
    const shape = axis === 0 ? [start.length, 1] : [1, start.length];
    const dtype = context.dtypeOf(input(2));
    const place = call('add', [offsets, context.constant(fromNumbers(start, shape, dtype))]);
    // The middles of cells, from −1 to 1 at the borders of the image.
    return call('add', [call('multiply', [place, 2 / size]), 1 / size - 1]);
  };
  const [y, at] = [coordinate(0, height, rows, high), coordinate(1, width, columns, wide)];
  const grid = call('stack', [context.tuple([at, y])], { axis: 1 });
  const parted = [batch * groups, channels / groups, height, width];
  const data = call('reshape', [input(0)], { newshape: parted });
  return call('image.grid_sample', [data, grid], { align_corners: false });
}
