/** `tile`: as many counts as axes. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const tile: OnnxExporter = formula('tile', (context, x) => {
  const reps = context.attrs.ints('reps');
  const rank = context.dims(x).length;
  const missing = Math.max(0, reps.length - rank);
  const data =
    missing === 0 ? x : context.call('expand_dims', [x], { axis: 0, num_newaxis: missing });
  const ones = new Array<number>(Math.max(0, rank - reps.length)).fill(1);
  const counts = [...ones, ...reps];
  return counts.length === 0
    ? context.node('Identity', [data])
    : context.node('Tile', [data, context.ints(counts)]);
});
