/** `nn.softmax` along one axis. */
import { formula } from '../forms/formula.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const softmax: OnnxExporter = formula('nn.softmax', (context, x) =>
  context.node('Softmax', [x], { axis: int(context.attrs.int('axis')) }),
);
