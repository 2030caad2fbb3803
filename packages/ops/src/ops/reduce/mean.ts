import { hull, ZERO } from '../../bounds/bounds.ts';
import { defineOp } from '../../define-op.ts';
import { reduceForm, reducing, spread } from '../../families/reduction.ts';
import { meanOnIntegers, reducedCount } from '../../on-integers/rules.ts';
import { SUM } from '../../scalar/folds.ts';

export const mean = defineOp({
  name: 'mean',
  doc: 'The mean of elements, in their dtype.',
  signature: reducing('number'),
  form: { ...reduceForm(SUM), isMean: true },
  bounds: ([x = ZERO], { ratio }) => ({
    ...hull([ZERO, x]),
    fraction: isPowerOfTwo(ratio) ? x.fraction + Math.log2(ratio) : Number.POSITIVE_INFINITY,
  }),
  gradient: (site) => [site.over(spread(site, site.g), site.ratio(0))],
  onIntegers: meanOnIntegers(reducedCount),
});

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));
