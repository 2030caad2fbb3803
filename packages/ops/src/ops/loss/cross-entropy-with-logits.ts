/** The operator `nn.cross_entropy_with_logits`. */
import { lossOfProducts } from '../../bounds/rules.ts';
import { crossEntropyLoss } from '../../families/cross-entropy.ts';

export const crossEntropyWithLogits = crossEntropyLoss({
  name: 'nn.cross_entropy_with_logits',
  doc: 'The cross entropy of predicted logarithms of probabilities, the mean over the batch.',
  logOf: (x) => x,
  domain: [
    [-16, 16],
    [-16, 16],
  ],
  bounds: lossOfProducts,
  gradient: {
    as: ({ args: [x, y], times, sum, mean, negative }) =>
      negative(mean(sum(times(y, x), [1]), [0])),
  },
});
