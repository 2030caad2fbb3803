/** `nn.log_softmax` along one axis. */
import { formula } from '../forms/formula.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const logSoftmax: OnnxWriter = formula('nn.log_softmax', (context, x) =>
  context.node('LogSoftmax', [x], { axis: int(context.attrs.int('axis')) }),
);
