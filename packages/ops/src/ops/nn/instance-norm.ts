/** The operator `nn.instance_norm`. */
import { normalization } from '../../families/normalization.ts';
import { instanceNorm as kernel } from '../../kernels/normalization.ts';

export const instanceNorm = normalization({
  name: 'nn.instance_norm',
  doc: 'Normalizes over all axes but the first and `axis`, then scales and shifts along `axis`.',
  axis: 1,
  kernel,
  sampled: 'images normalized by themselves',
  onnx: {
    opType: 'InstanceNormalization',
    versions: [6, 22],
    attributes: [
      { name: 'epsilon', as: 'epsilon', kind: 'float', defaultValue: Math.fround(1e-5) },
    ],
  },
});
