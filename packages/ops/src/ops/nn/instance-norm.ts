/** The operator `nn.instance_norm`. */
import { normalization } from '../../families/normalization.ts';
import { affine, frontAxis, otherAxes, standardized } from '../../gradient/formulas.ts';
import { instanceNorm as kernel } from '../../kernels/normalization.ts';
import { keepsAxisOfBatch } from '../../relayout/rules.ts';

export const instanceNorm = normalization({
  name: 'nn.instance_norm',
  doc: 'Normalizes over all axes but the first and `axis`, then scales and shifts along `axis`.',
  axis: 1,
  kernel,
  gradient: {
    as: (site) => {
      const axes = otherAxes(site, [0, frontAxis(site, site.attrs.axis)]);
      return affine(site, standardized(site, site.args[0], axes, site.attrs.epsilon));
    },
  },
  relayout: keepsAxisOfBatch,
  sampled: 'images normalized by themselves',
  onnx: {
    opType: 'InstanceNormalization',
    versions: [6, 22],
    attributes: [
      { name: 'epsilon', as: 'epsilon', kind: 'float', defaultValue: Math.fround(1e-5) },
    ],
  },
});
