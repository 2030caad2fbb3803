/** The rules of a user's module, which commands process one by one. */
import { fail, isLeft, type Result, right } from '@baton/base';
import type { Rule } from 'batonjs';
import type { CommandOptions, Session } from './command.ts';
import { unfit } from './diagnostics.ts';
import { rulesIn } from './pipeline.ts';

export const ruleOption = (verb: string): CommandOptions => ({
  rule: { type: 'string', multiple: true, value: 'NAME', doc: `${verb} only this rule` },
});

export async function namedRules(
  session: Session,
  path: string,
): Promise<Result<ReadonlyArray<Rule>>> {
  const sets = await rulesIn(session.host, path);
  if (isLeft(sets)) return sets;
  const rules: Rule[] = [];
  for (const set of sets.right) {
    if (isLeft(set)) return set;
    rules.push(...set.right.rules);
  }
  const named = session.texts('rule');
  const unknown = named.find((name) => !rules.some((rule) => rule.name === name));
  if (unknown !== undefined) {
    const known = rules.map(({ name }) => name).join(', ');
    return fail(unfit(path, `it has no rule ${unknown}`, `it has ${known}`));
  }
  return right(named.length === 0 ? rules : rules.filter(({ name }) => named.includes(name)));
}
