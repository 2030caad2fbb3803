/** `nn.batch_to_space_nd`: batches are split into blocks, which go behind their axes. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const batchToSpaceNd: OnnxExporter = formula('nn.batch_to_space_nd', (context, x) => {
  const { attrs, call } = context;
  const blocks = attrs.ints('block_shape');
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batches = 1, ...sizes] = shape;
  const count = blocks.length;
  const batch = blocks.reduce((left, block) => left / block, batches);
  const parts = call('reshape', [x], { newshape: [...blocks, batch, ...sizes], allowzero: 1 });
  const rest = sizes.slice(count);
  const axes = [
    count,
    ...blocks.flatMap((_, i) => [count + 1 + i, i]),
    ...rest.map((_, i) => 2 * count + 1 + i),
  ];
  const wide = sizes.map((size, i) => size * (blocks[i] ?? 1));
  const whole = call('transpose', [parts], { axes });
  const merged = call('reshape', [whole], { newshape: [batch, ...wide], allowzero: 1 });
  const crops = attrs.pairs('crops');
  const begin = crops.map(([before]) => before);
  const end = crops.map(([, after], i) => (wide[i] ?? 0) - after);
  return call('strided_slice', [merged], { begin, end, axes: blocks.map((_, i) => i + 1) });
});
