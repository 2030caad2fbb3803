/** Tries rules that a user typed: whether they match the program, and whether they hold. */
import { isLeft, type Result, renderDiagnostics, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Rule } from '@baton/rewrites';
import * as rewrites from '@baton/rewrites';
import { testRule } from '@baton/testing';
import type { RuleVerdict } from '../protocol.ts';
import { ownRules } from './own-rules.ts';

/** The number of random programs on which a rule is tried. */
const INSTANCES = 30;

/** A verdict for each rule: a rule that changes results is refuted, whether it matches or not. */
export function tryRules(
  m: IRModule | undefined,
  text: string,
): Result<ReadonlyArray<RuleVerdict>> {
  const set = ownRules(text);
  if (isLeft(set)) return set;
  return right(set.right.rules.map((rule) => verdictOf(rule, m)));
}

function verdictOf(rule: Rule, m: IRModule | undefined): RuleVerdict {
  const { name, text: equation } = rule;
  const trial = testRule(rule, { count: INSTANCES });
  if (isLeft(trial) && trial.left[0].code === 'TESTING_RULE_DIFFERENT') {
    return { name, equation, verdict: 'refuted', detail: renderDiagnostics(trial.left) };
  }
  const tested = isLeft(trial)
    ? `Not tested: ${trial.left[0].message}.`
    : `The same results on ${trial.right.instances} random programs.`;
  const found = m === undefined ? undefined : rewrites.why(rule, m);
  if (found === undefined || isLeft(found)) {
    return {
      name,
      equation,
      verdict: isLeft(trial) ? 'not tested' : 'does not fire',
      detail: tested,
    };
  }
  const { isUsed, text } = found.right;
  return {
    name,
    equation,
    verdict: isUsed ? 'fires' : 'does not fire',
    detail: `${text}\n${tested}`,
  };
}
