/** `nn.lrn`: over the channels, the second axis. */
import { formula } from '../forms/formula.ts';
import { fromFront } from '../forms/types.ts';
import { float, int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const lrn: OnnxWriter = formula('nn.lrn', (context, x) => {
  const { attrs } = context;
  const axis = fromFront(attrs.int('axis'), context.dims(x).length);
  if (axis !== 1) return context.fail('LRN is over the second axis');
  const number = (name: string) => float(attrs.float(name));
  const [alpha, beta, bias] = [number('alpha'), number('beta'), number('bias')];
  return context.node('LRN', [x], { size: int(attrs.int('size')), alpha, beta, bias });
});
