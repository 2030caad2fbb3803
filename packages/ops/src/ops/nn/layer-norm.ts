import { frontAxis } from '../../definition/axes.ts';
import { normalization, standardized } from '../../families/normalization.ts';
import { layerNorm as kernel } from '../../kernels/normalization.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const layerNorm = normalization({
  name: 'nn.layer_norm',
  doc: 'Normalizes over one axis by its mean and variance, then scales and shifts along it.',
  axis: -1,
  kernel,
  definition: standardized((site) => [frontAxis(site, site.attrs.axis)]),
  relayout: keepsAxis,
});
