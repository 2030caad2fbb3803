/** `repeat`: each element tiled along an axis of its own. */
import { formula } from '../forms/formula.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const repeat: OnnxExporter = formula('repeat', (context, given) => {
  const repeats = context.attrs.int('repeats');
  const { x, axis } = alongOneAxis(context, given);
  const spread = context.call('expand_dims', [x], { axis: axis + 1 });
  const reps = context.dims(spread).map((_, i) => (i === axis + 1 ? repeats : 1));
  const tiled = context.call('tile', [spread], { reps });
  const runs = context.dims(x).map((_, i) => {
    const begin = i > axis ? i + 1 : i;
    return { begin, end: i === axis ? begin + 2 : begin + 1 };
  });
  return reshaped(context, tiled, runs);
});
