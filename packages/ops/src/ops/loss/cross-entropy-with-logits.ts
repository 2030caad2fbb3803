import { define } from '../../definition/column.ts';
import { crossEntropyLoss, losesProducts } from '../../families/cross-entropy.ts';

export const crossEntropyWithLogits = crossEntropyLoss({
  name: 'nn.cross_entropy_with_logits',
  doc: 'The cross entropy of predicted log probabilities, averaged over the batch.',
  logOf: (x) => x,
  ...losesProducts,
  definition: define('negative(mean(sum(?y * ?x, axis=[1]), axis=[0]))'),
});
