/** `nn.space_to_batch_nd`: the padded axes are split, and their blocks moved to the front. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const spaceToBatchNd: OnnxExporter = formula('nn.space_to_batch_nd', (context, given) => {
  const { attrs, call } = context;
  const blocks = attrs.ints('block_shape');
  const rank = context.dims(given).length;
  const listed = attrs.pairs('paddings');
  const widths = Array.from({ length: rank }, (_, axis) => listed[axis - 1] ?? [0, 0]);
  const value = context.scalar(attrs.float('pad_value'), context.dtype(given));
  const x = call('nn.pad', [given, value], { pad_width: widths });
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batch = 1, ...sizes] = shape;
  const [spatial, rest] = [sizes.slice(0, blocks.length), sizes.slice(blocks.length)];
  const split = spatial.flatMap((size, i) => [size / (blocks[i] ?? 1), blocks[i] ?? 1]);
  const parts = call('reshape', [x], { newshape: [batch, ...split, ...rest], allowzero: 1 });
  const count = blocks.length;
  const axes = [
    ...blocks.map((_, i) => 2 + 2 * i),
    0,
    ...blocks.map((_, i) => 1 + 2 * i),
    ...rest.map((_, i) => 1 + 2 * count + i),
  ];
  return reshaped(context, call('transpose', [parts], { axes }));
});
