/** `nn.cross_entropy`. */

import { crossEntropyOf } from '../forms/cross-entropy.ts';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const crossEntropy: OnnxWriter = formula('nn.cross_entropy', (context, x, y) =>
  crossEntropyOf(context, context.call('log', [x]), y),
);
