import { frontAxis, otherAxes } from '../../definition/axes.ts';
import { normalization, standardized } from '../../families/normalization.ts';
import { instanceNorm as kernel } from '../../kernels/normalization.ts';
import { keepsAxisOfBatch } from '../../relayout/rules.ts';

export const instanceNorm = normalization({
  name: 'nn.instance_norm',
  doc: 'Normalizes over all axes but the first and `axis`, then scales and shifts along `axis`.',
  axis: 1,
  kernel,
  definition: standardized((site) => otherAxes(site, [0, frontAxis(site, site.attrs.axis)])),
  relayout: keepsAxisOfBatch,
  onnx: {
    opType: 'InstanceNormalization',
    versions: [6, 22],
    attributes: [
      { name: 'epsilon', as: 'epsilon', kind: 'float', defaultValue: Math.fround(1e-5) },
    ],
  },
});
