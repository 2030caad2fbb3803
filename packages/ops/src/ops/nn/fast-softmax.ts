import { within } from '../../bounds/rules.ts';
import { softmaxAlongAxis } from '../../families/softmax.ts';
import { SHARE } from '../../scalar/exponentials.ts';

export const fastSoftmax = softmaxAlongAxis({
  name: 'nn.fast_softmax',
  doc: 'The softmax along `axis`, with a larger error allowed.',
  source: 'operators §1; Relay v0.14 nn.fast_softmax',
  share: SHARE,
  bounds: within(0, 1),
  gradient: ({ g, result: y, attrs: { axis }, times, minus, sum }) => [
    times(minus(g, sum(times(g, y), [axis], true)), y),
  ],
});
