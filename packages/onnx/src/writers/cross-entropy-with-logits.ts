/** `nn.cross_entropy_with_logits`. */

import { crossEntropyOf } from '../forms/cross-entropy.ts';
import { formula } from '../forms/formula.ts';
import { inFloat32 } from '../forms/wide.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const crossEntropyWithLogits: OnnxExporter = inFloat32(
  formula('nn.cross_entropy_with_logits', (context, x, y) => crossEntropyOf(context, x, y)),
);
