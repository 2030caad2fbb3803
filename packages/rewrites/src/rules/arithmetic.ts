/** Sums and products: [passes §7](https://batonjs.github.io/baton/spec/passes#7). */
import { rule, ruleSet } from '../rule/rule.ts';
import type { Term } from '../rule/term.ts';

interface Constants {
  readonly c: Term;
  readonly d: Term;
}

/** The engines compute a call of constants at once. */
const areConstant = ({ c, d }: Constants): boolean =>
  c.constant !== undefined && d.constant !== undefined;

/** Laws that hold of real numbers. */
const LAW = ['nsz', 'nnan', 'ninf', 'reassoc'] as const;

/** Rules that shorten sums and products. */
export const arithmetic = ruleSet(
  'arithmetic',
  rule('x + 0', '?x + 0', '?x', { needs: ['nsz'] }),
  rule('x - 0', '?x - 0', '?x'),
  rule('x * 1', '?x * 1', '?x'),
  rule('x / 1', '?x / 1', '?x'),
  rule('(x + c) + c', '(?x + ?c) + ?d', '?x + (?c + ?d)', { when: areConstant, needs: LAW }),
  rule('(x * c) * c', '(?x * ?c) * ?d', '?x * (?c * ?d)', { when: areConstant, needs: LAW }),
  // A scaled value meets other scales, and FoldScaleAxis.
  rule('(x + c) * c', '(?x + ?c) * ?d', '?x * ?d + ?c * ?d', {
    when: areConstant,
    needs: LAW,
    orient: 'canonical',
  }),
  rule('x + x', '?x + ?x', '?x * 2', { orient: 'canonical' }),
  rule('n / sqrt(x)', '?n / sqrt(?x)', '?n * rsqrt(?x)', { needs: ['arcp'], orient: 'canonical' }),
);

/** Laws of sums and products, which help only together with other rules. */
export const algebra = ruleSet(
  'algebra',
  rule('associative +', '(?x + ?y) + ?z', '?x + (?y + ?z)', { needs: LAW, orient: 'both' }),
  rule('associative *', '(?x * ?y) * ?z', '?x * (?y * ?z)', { needs: LAW, orient: 'both' }),
  rule('distributive', '?x * ?y + ?x * ?z', '?x * (?y + ?z)', { needs: LAW, orient: 'both' }),
);
