/** `nn.softmax` along one axis. */
import { formula } from '../forms/formula.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const softmax: OnnxWriter = formula('nn.softmax', (context, x) =>
  context.node('Softmax', [x], { axis: int(context.attrs.int('axis')) }),
);
