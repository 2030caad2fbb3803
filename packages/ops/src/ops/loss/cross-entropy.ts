import { within } from '../../bounds/rules.ts';
import { define } from '../../definition/column.ts';
import { crossEntropyLoss } from '../../families/cross-entropy.ts';

export const crossEntropy = crossEntropyLoss({
  name: 'nn.cross_entropy',
  doc: 'The cross entropy of predicted probabilities, averaged over the batch.',
  logOf: Math.log,
  domain: [[0.125, 1024]],
  bounds: within(-512, 512),
  definition: define('negative(mean(sum(?y * log(?x), axis=[1]), axis=[0]))'),
});
