/** `repeat`: each element tiled along an axis of its own. */
import { formula } from '../forms/formula.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { reshaped } from '../forms/reshaping.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const repeat: OnnxWriter = formula('repeat', (context, given) => {
  const repeats = context.attrs.int('repeats');
  const { x, axis } = alongOneAxis(context, given);
  const spread = context.call('expand_dims', [x], { axis: axis + 1 });
  const reps = context.dims(spread).map((_, i) => (i === axis + 1 ? repeats : 1));
  return reshaped(context, context.call('tile', [spread], { reps }));
});
