/** `MeanVarianceNormalization`: mean 0 and variance 1 over axes. */
import type { Expr } from '@baton/ir';
import { inWide } from '../families/wide.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const meanVarianceNormalization: OnnxImporter = {
  opType: 'MeanVarianceNormalization',
  convert: (context) => {
    const x = context.input(0);
    const axis = context.attributes.ints('axes') ?? [0, 2, 3];
    const over = (data: Expr): Expr => context.call('mean', [data], { axis, keepdims: true });
    return inWide(context, x, (data) => {
      const centred = context.call('subtract', [data, over(data)]);
      const variance = over(context.call('multiply', [centred, centred]));
      // As ONNX defines it, with an epsilon beside the deviation.
      const deviation = context.call('add', [context.call('sqrt', [variance]), 1e-9]);
      return context.call('divide', [centred, deviation]);
    });
  },
};
