/** The operator `nn.layer_norm`. */
import { normalization } from '../../families/normalization.ts';
import { affine, standardized } from '../../gradient/formulas.ts';
import { layerNorm as kernel } from '../../kernels/normalization.ts';
import { keepsAxis } from '../../relayout/rules.ts';

export const layerNorm = normalization({
  name: 'nn.layer_norm',
  doc: 'Normalizes over one axis by its own mean and variance, then scales and shifts along it.',
  axis: -1,
  kernel,
  gradient: {
    as: (site) =>
      affine(site, standardized(site, site.args[0], [site.attrs.axis], site.attrs.epsilon)),
  },
  relayout: keepsAxis,
  sampled: 'normalized by itself',
});
