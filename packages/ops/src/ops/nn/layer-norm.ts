/** The operator `nn.layer_norm`. */
import { layerNorm as spelledOut } from '../../decomposition/normalizations.ts';
import { normalization } from '../../families/normalization.ts';
import { layerNorm as kernel } from '../../kernels/normalization.ts';

export const layerNorm = normalization({
  name: 'nn.layer_norm',
  doc: 'Normalizes over one axis by its own mean and variance, then scales and shifts along it.',
  axis: -1,
  kernel,
  decomposition: { of: 'result', spell: spelledOut },
  sampled: 'normalized by itself',
});
