/** `nn.fast_softmax`, exactly. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const fastSoftmax: OnnxWriter = formula('nn.fast_softmax', (context, x) =>
  context.call('nn.softmax', [x], context.attrs.all),
);
