/** Random instances of shipped rules, for the fuzz run. */
import { isLeft, renderDiagnostics } from '@baton/base';
import { SHIPPED_RULES } from './shipped.ts';
import { testRule } from './test-rule.ts';

/**
 * The failure of the shipped rule with the number of the seed, counted round, on one instance. That
 * a rule fits no instance of these few is none.
 */
export function checkShippedRule(seed: number): string | undefined {
  const rule = SHIPPED_RULES[seed % SHIPPED_RULES.length];
  const trial = rule && testRule(rule, { count: 1, seed });
  if (trial === undefined || !isLeft(trial)) return undefined;
  const isMissing = trial.left[0].code === 'TESTING_RULE_NEVER_FIRED';
  return isMissing ? undefined : renderDiagnostics(trial.left);
}
