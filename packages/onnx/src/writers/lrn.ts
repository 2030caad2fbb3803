/** `nn.lrn`: over the channels, the second axis. */
import { formula } from '../forms/formula.ts';
import { fromFront } from '../forms/types.ts';
import { float, int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const lrn: OnnxExporter = formula('nn.lrn', (context, x) => {
  const { attrs } = context;
  const rank = context.dims(x).length;
  if (fromFront(attrs.int('axis'), rank) !== 1) return context.fail('LRN is over the second axis');
  const number = (name: string) => float(attrs.float(name));
  const [alpha, beta, bias] = [number('alpha'), number('beta'), number('bias')];
  const values = { size: int(attrs.int('size')), alpha, beta, bias };
  if (rank === 4) return context.node('LRN', [x], values);
  // Runtimes take images only.
  const image = context.call('reshape', [x], { newshape: rank < 3 ? [0, 0, 1, 1] : [0, 0, -1, 1] });
  return context.call('reshape_like', [context.node('LRN', [image], values, image.type), x]);
});
