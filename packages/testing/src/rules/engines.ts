/** A single rule in each engine, used wherever it applies. */
import { remember } from '@baton/base';
import { children, type Expr, type IRModule, type OpTable, postOrderExprs } from '@baton/ir';
import type { Pass } from '@baton/pass-manager';
import {
  greedy,
  instancesOf,
  type NodeCost,
  type Pattern,
  type Rule,
  saturate,
} from '@baton/rewrites';

export interface Directed {
  readonly rule: Rule;
  /** Its left sides, for each operator that its operator holes match. */
  readonly lefts: ReadonlyArray<ReadonlyArray<Pattern>>;
  /** The engines that run it, each after it on the same programs. */
  readonly engines: ReadonlyArray<Pass>;
}

/** The directions of a rule: one, or both if it is oriented both ways. */
export function directionsOf(rule: Rule, ops: OpTable): ReadonlyArray<Directed> {
  const forth = directed(rule, ops);
  return rule.orient === 'both' ? [forth, directed(reversed(rule), ops)] : [forth];
}

function directed(given: Rule, ops: OpTable): Directed {
  // Cost decides, and every use of the rule is cheaper.
  const rule: Rule = { ...given, orient: 'shrink' };
  const whole = saturate(rule, { ...LIMITS, cost: originals });
  return {
    rule,
    lefts: instancesOf(rule, ops).map(({ equations }) => equations.map(({ left }) => left)),
    engines: rule.equations.length > 1 ? [whole] : [greedy(rule, { cost: originals }), whole],
  };
}

/** One round shows a rule. */
const LIMITS = { iterationLimit: 1, nodeLimit: 5_000 } as const;

function reversed(rule: Rule): Rule {
  const [first, ...others] = rule.equations.map(({ left, right }) => ({
    left: right,
    right: left,
  }));
  return first === undefined ? rule : { ...rule, equations: [first, ...others] };
}

/**
 * What the program has costs, and what a rule makes is nearly free. So engines use a rule wherever
 * it applies, but not to come back to what was there.
 */
const originals: NodeCost = (node, m) => (hashesOf(m).has(node.hash) ? 1 : MADE);

const MADE = 2 ** -16;

const known = new WeakMap<IRModule, ReadonlySet<number>>();

const hashesOf = (m: IRModule): ReadonlySet<number> =>
  remember(known, m, () => {
    const nodes: ReadonlyArray<Expr> = [...m.functions.values()].flatMap((f) => children(f));
    return new Set(postOrderExprs(nodes).map((node) => node.hash));
  });
