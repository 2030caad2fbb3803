/** `nn.cross_entropy`. */

import { crossEntropyOf } from '../forms/cross-entropy.ts';
import { formula } from '../forms/formula.ts';
import { inFloat32 } from '../forms/wide.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const crossEntropy: OnnxExporter = inFloat32(
  formula('nn.cross_entropy', (context, x, y) =>
    crossEntropyOf(context, context.call('log', [x]), y),
  ),
);
