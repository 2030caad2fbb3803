/** `clip`: its bounds became inputs. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const clip: OnnxWriter = formula('clip', (context, x) => {
  const dtype = context.dtype(x);
  const bound = (name: string) => context.scalar(Number(context.attrs.value(name)), dtype);
  return context.node('Clip', [x, bound('a_min'), bound('a_max')]);
});
