import { between, magnitude, ZERO } from '../../bounds/bounds.ts';
import { softmaxAlongAxis } from '../../families/softmax.ts';
import { LOG_SHARE } from '../../scalar/exponentials.ts';

export const logSoftmax = softmaxAlongAxis({
  name: 'nn.log_softmax',
  doc: 'The logarithm of the softmax along `axis`.',
  source: 'operators §7; Relay v0.14 nn.log_softmax',
  share: LOG_SHARE,
  bounds: ([x = ZERO]) => between(-2 * magnitude(x) - 8, 0),
  gradient: ({ g, result: y, attrs: { axis }, times, minus, sum, op }) => [
    minus(g, times(sum(g, [axis], true), op('exp', [y]))),
  ],
});
