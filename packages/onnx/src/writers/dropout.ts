/** `nn.dropout`, which at inference is the data and a mask of ones. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const dropout: OnnxWriter = formula('nn.dropout', (context, x) => [
  x,
  context.call('ones_like', [x]),
]);
