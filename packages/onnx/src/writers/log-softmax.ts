/** `nn.log_softmax` along one axis. */
import { formula } from '../forms/formula.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const logSoftmax: OnnxExporter = formula('nn.log_softmax', (context, x) =>
  context.node('LogSoftmax', [x], { axis: int(context.attrs.int('axis')) }),
);
