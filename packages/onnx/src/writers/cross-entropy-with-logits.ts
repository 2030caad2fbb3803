/** `nn.cross_entropy_with_logits`. */

import { crossEntropyOf } from '../forms/cross-entropy.ts';
import { formula } from '../forms/formula.ts';
import { inFloat32 } from '../forms/wide.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const crossEntropyWithLogits: OnnxWriter = inFloat32(
  formula('nn.cross_entropy_with_logits', (context, x, y) => crossEntropyOf(context, x, y)),
);
