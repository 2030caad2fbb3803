import { within } from '../../bounds/rules.ts';
import { softmaxAlongAxis } from '../../families/softmax.ts';
import { SHARE } from '../../scalar/exponentials.ts';

export const softmax = softmaxAlongAxis({
  name: 'nn.softmax',
  doc: 'The exponentials of elements, divided by their sum along `axis`.',
  source: 'operators §7; Relay v0.14 nn.softmax',
  share: SHARE,
  faster: 'nn.fast_softmax',
  bounds: within(0, 1),
  gradient: ({ g, result: y, attrs: { axis }, times, minus, sum }) => [
    times(minus(g, sum(times(g, y), [axis], true)), y),
  ],
});
