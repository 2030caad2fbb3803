/** Associativity and distributivity of sums and products. */
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { DETOUR } from './law.ts';

/** Laws of sums and products, which help only together with other rules. */
export const algebra = ruleSet(
  'algebra',
  rule('associative +', '(?x + ?y) + ?z', '?x + (?y + ?z)', { needs: DETOUR, orient: 'both' }),
  rule('associative *', '(?x * ?y) * ?z', '?x * (?y * ?z)', { needs: DETOUR, orient: 'both' }),
  rule('distributive', '?x * ?y + ?x * ?z', '?x * (?y + ?z)', { needs: DETOUR, orient: 'both' }),
);
