/** Biases as sums: [passes §20](https://batonjs.github.io/baton/spec/passes#20). */
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { axesAfter } from './axes.ts';

/** bias_add(x, b) = x + b, with b laid along its axis */
export const biases = ruleSet(
  'biases',
  rule('bias on the last axis', 'nn.bias_add(?x, ?b, axis=?a)', '?x + ?b', {
    when: (holes) => axesAfter(holes) === 0,
    orient: 'canonical',
    refines: true,
  }),
  rule(
    'bias on an inner axis',
    'nn.bias_add(?x, ?b, axis=?a)',
    '?x + expand_dims(?b, axis=1, num_newaxis=?n)',
    { let: { n: (holes) => axesAfter(holes) || undefined }, orient: 'canonical', refines: true },
  ),
);
