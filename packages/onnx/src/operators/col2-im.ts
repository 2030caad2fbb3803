/** `Col2Im`: windows of an image, added where they overlap. */
import type { Expr } from '@baton/ir';
import { fromNumbers, shapeSize, type Tensor } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const col2Im: OnnxImporter = {
  opType: 'Col2Im',
  convert: (context) => {
    const { attributes, call } = context;
    const [image, block] = [context.ints(1), context.ints(2)];
    const [batch, rows, windows] = context.shapeOf(context.input(0)) ?? [];
    if (image === undefined || block === undefined) return undefined;
    if (batch === undefined || rows === undefined || windows === undefined) {
      return context.unknown('expected known sizes of the windows');
    }
    const ones = image.map(() => 1);
    const pads = attributes.ints('pads') ?? [...ones, ...ones].map(() => 0);
    const layout: Layout = {
      block,
      strides: attributes.ints('strides') ?? ones,
      dilations: attributes.ints('dilations') ?? ones,
      padded: image.map((size, i) => size + (pads[i] ?? 0) + (pads[image.length + i] ?? 0)),
    };
    const cells = shapeSize(block);
    context.room(...layout.block, ...layout.padded);
    const places = placesOf(layout);
    if (places.shape[0] !== cells * windows || rows % cells !== 0) {
      return context.fail('ONNX_SHAPE', 'expected as many windows as fit into the image');
    }
    const channels = (batch * rows) / cells;
    const data = call('reshape', [context.input(0)], { newshape: [channels, cells * windows] });
    const shape = [channels, cells * windows];
    const indices = call('broadcast_to', [context.constant(places)], { shape });
    const dtype = context.dtypeOf(data);
    const blank = call('zeros', [], { shape: [channels, shapeSize(layout.padded)], dtype });
    const sums = call('scatter_elements', [blank, indices, data], { axis: 1, reduction: 'add' });
    const newshape = [batch, rows / cells, ...layout.padded];
    const whole: Expr = call('reshape', [sums], { newshape });
    const axes = image.map((_, i) => i + 2);
    const begin = image.map((_, i) => pads[i] ?? 0);
    const end = begin.map((from, i) => from + (image[i] ?? 0));
    return call('strided_slice', [whole], { begin, end, axes });
  },
};

/** Sizes of the windows and of the image with its padding, one for each axis. */
interface Layout {
  readonly block: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilations: ReadonlyArray<number>;
  readonly padded: ReadonlyArray<number>;
}

/** The place in the image of each cell of each window: all windows for each cell. */
function placesOf({ block, strides, dilations, padded }: Layout): Tensor {
  const counts = padded.map((size, axis) => {
    const reach = (dilations[axis] ?? 1) * ((block[axis] ?? 1) - 1) + 1;
    return Math.max(0, Math.floor((size - reach) / (strides[axis] ?? 1)) + 1);
  });
  // The place along each axis for each pair of cell and window; axes are combined one by one.
  let cells: ReadonlyArray<number> = [0];
  let windows: ReadonlyArray<number> = [0];
  for (const [axis, size] of padded.entries()) {
    const along = (count: number, step: number, before: ReadonlyArray<number>) =>
      before.flatMap((place) => Array.from({ length: count }, (_, i) => place * size + i * step));
    cells = along(block[axis] ?? 1, dilations[axis] ?? 1, cells);
    windows = along(counts[axis] ?? 0, strides[axis] ?? 1, windows);
  }
  const places = cells.flatMap((cell) => windows.map((window) => cell + window));
  return fromNumbers(Float64Array.from(places), [places.length], 'int64');
}
