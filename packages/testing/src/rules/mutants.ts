/** Rules broken on purpose: each lacks one of its conditions, or takes a freedom it does not name. */
import { InvariantError } from '@baton/base';
import type { Rule } from '@baton/rewrites';
import { SHIPPED_RULES } from './shipped.ts';

/** A rule without one of its guards. */
export interface RuleMutant {
  readonly name: string;
  readonly rule: Rule;
}

/**
 * Freedoms whose lack a comparison of values shows. Others are claimed for a whole law, such as an
 * infinity that only some of its rules may make.
 */
const FREEDOMS: Readonly<Record<string, Rule['needs']>> = {
  'x + 0': ['nsz'],
  'x - -0': ['nsz'],
  '(x + c) + c': ['reassoc'],
  'bias + c': ['reassoc'],
  'bias of x + c': ['reassoc'],
  'bias of bias': ['reassoc'],
  '(x * c) * c': ['reassoc'],
  '(x + c) * c': ['reassoc', 'nsz', 'ninf'],
  'bias * c': ['reassoc', 'nsz'],
  'n / sqrt(x)': ['arcp'],
  'associative +': ['reassoc'],
  'associative *': ['reassoc', 'ninf'],
  distributive: ['reassoc', 'nsz', 'ninf'],
  'x / n': ['arcp'],
  '(x * n) * y': ['reassoc', 'ninf'],
  'x^3': ['afn'],
  'tanh as sigmoid': ['ninf'],
  'leaky relu as maximum': ['nnan'],
  'scale of layer norm': ['reassoc'],
  'shift of layer norm': ['reassoc'],
  variance: ['reassoc'],
  'softmax of shifted': ['reassoc', 'nnan'],
  'log softmax of shifted': ['reassoc', 'nnan'],
  'batch norm of conv2d': ['ninf'],
  'scale of batch_matmul': ['reassoc', 'nsz'],
  'masked where': ['ninf'],
  'sum of masks': ['reassoc'],
  'nn.layer_norm': ['ninf'],
  'nn.instance_norm': ['ninf'],
  'nn.l2_normalize': ['ninf'],
};

/** Every shipped rule without each of its conditions, and some without a freedom. */
export function ruleMutants(): ReadonlyArray<RuleMutant> {
  const freedoms = new Map(Object.entries(FREEDOMS));
  const made = SHIPPED_RULES.flatMap((rule) => {
    const taken = freedoms.get(rule.name) ?? [];
    freedoms.delete(rule.name);
    if (!taken.every((word) => rule.needs.includes(word))) {
      throw new InvariantError(`${rule.name} needs ${taken.join(' and ')}`);
    }
    return [...withoutConditions(rule), ...withoutNeeds(rule, taken), ...withoutBounds(rule)];
  });
  if (freedoms.size > 0) {
    throw new InvariantError(`rules are named ${[...freedoms.keys()].join(', ')}`);
  }
  return made;
}

/** The rule without each of its conditions, and without each of its needs. */
export const mutantsOf = (rule: Rule): ReadonlyArray<RuleMutant> => [
  ...withoutConditions(rule),
  ...withoutNeeds(rule, rule.needs),
];

/** The rules of which instances at the ends of a range show that they need their `within`. */
const BOUNDED: ReadonlySet<string> = new Set([
  'backward map',
  'backward sum',
  'backward bias',
  'forward sum',
  'forward both',
  'forward bias',
  'forward into a weight',
  'backward into a weight',
]);

/** The rule as if it kept to the range of narrow floats whatever its constants are. */
const withoutBounds = (rule: Rule): ReadonlyArray<RuleMutant> =>
  BOUNDED.has(rule.name)
    ? [{ name: `${rule.name}: no bounds`, rule: { ...rule, within: [() => true] } }]
    : [];

const withoutConditions = (rule: Rule): ReadonlyArray<RuleMutant> =>
  rule.when.map((left, i) => ({
    name: `${rule.name}: no condition ${i + 1}`,
    rule: { ...rule, when: rule.when.filter((condition) => condition !== left) },
  }));

const withoutNeeds = (rule: Rule, lost: Rule['needs']): ReadonlyArray<RuleMutant> =>
  lost.map((left) => ({
    name: `${rule.name}: no ${left}`,
    rule: { ...rule, needs: rule.needs.filter((word) => word !== left) },
  }));
