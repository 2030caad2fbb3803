/** `nn.l2_normalize`. */
import { formula } from '../forms/formula.ts';
import { inFloat32 } from '../forms/wide.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const l2Normalize: OnnxExporter = inFloat32(
  formula('nn.l2_normalize', (context, x) => {
    const { call } = context;
    const axis = context.attrs.ints('axis');
    const sum = call('sum', [call('multiply', [x, x])], { axis, keepdims: true });
    const eps = context.attrs.float('eps');
    return call('divide', [x, call('sqrt', [call('maximum', [sum, eps])])]);
  }),
);
