/** Reports the user's own rules that were not used, with the reason of each. */
import { isLeft } from '@baton/base';
import {
  type Instrument,
  type IRModule,
  type PassReport,
  passStatistics,
  type RuleSet,
  rewrites,
} from 'batonjs';
import { RULES_PASS } from './pipeline.ts';

export interface RuleWatch {
  readonly instrument: Instrument;
  readonly unused: (report: PassReport) => ReadonlyArray<string>;
}

export function watchRules(sets: ReadonlyArray<RuleSet>): RuleWatch {
  let given: IRModule | undefined;
  return {
    instrument: {
      name: 'WatchRules',
      beforePass: (m, { name }) => {
        if (name === RULES_PASS) given ??= m;
      },
    },
    unused: (report) => {
      const counted = [...passStatistics(report).values()];
      const isUsed = (name: string): boolean => counted.some((rows) => (rows[name] ?? 0) > 0);
      const rules = sets.flatMap((set) => set.rules).filter(({ name }) => !isUsed(name));
      return rules.map((rule) => {
        const found = given && rewrites.why(rule, given);
        const reason =
          found === undefined
            ? 'no rules ran'
            : isLeft(found)
              ? found.left[0].message
              : found.right.text;
        return `the rule ${rule.name} was not used: ${reason}`;
      });
    },
  };
}
