/** `repeat`: each element tiled along an axis of its own. */
import { formula } from '../forms/formula.ts';
import { reshaped } from '../forms/reshaping.ts';
import { fromFront } from '../forms/types.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const repeat: OnnxWriter = formula('repeat', (context, given) => {
  const repeats = context.attrs.int('repeats');
  const isFlat = context.attrs.value('axis') === null;
  const x = isFlat ? context.call('reshape', [given], { newshape: [-1] }) : given;
  const axis = isFlat ? 0 : fromFront(context.attrs.int('axis'), context.dims(x).length);
  const spread = context.call('expand_dims', [x], { axis: axis + 1 });
  const reps = context.dims(spread).map((_, i) => (i === axis + 1 ? repeats : 1));
  return reshaped(context, context.call('tile', [spread], { reps }));
});
