/** `nn.cross_entropy`. */

import { crossEntropyOf } from '../forms/cross-entropy.ts';
import { formula } from '../forms/formula.ts';
import { inFloat32 } from '../forms/wide.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const crossEntropy: OnnxWriter = inFloat32(
  formula('nn.cross_entropy', (context, x, y) =>
    crossEntropyOf(context, context.call('log', [x]), y),
  ),
);
