/** The gain of a step of the greedy engine: the costs of the nodes that go and of those that come. */
import type { WeakMemory } from '@baton/base';
import { children, type Expr, type IRModule, postOrderExprs } from '@baton/ir';
import { isPrimitive } from '@baton/pass-manager';
import type { NodeCost } from '../cost.ts';
import type { Step } from '../match/apply.ts';
import { isCompileTime } from '../match/fold.ts';
import type { Rule } from '../rule/rule.ts';

/** The costs of the nodes that a step frees and of those that it makes. */
export interface Gain {
  readonly freed: number;
  readonly made: number;
}

/**
 * The gain of a step in the place of `was`. It makes the nodes of its result that were not there
 * before, and frees those that only freed nodes use. `uses` has the uses of what was there, but for
 * what earlier steps in this place have made: that has one.
 *
 * **Complexity** linear in the nodes that are freed or made, and their children.
 */
export function gainOf(
  was: Expr,
  { results, matched }: Step,
  uses: Pick<WeakMemory<Expr, number>, 'get'>,
  cost: NodeCost,
  m: IRModule,
): Gain {
  const costOf = (node: Expr): number => {
    const own = cost(node, m);
    return own === 0 || isCompileTime(m, node) ? 0 : own;
  };
  const known = new Set(matched);
  const kept = new Set<Expr>();
  const fresh = postOrderExprs(results, (node) => {
    const isKnown = known.has(node) || uses.get(node) !== undefined;
    if (isKnown) kept.add(node);
    return isKnown || isPrimitive(node);
  });
  let freed = 0;
  const left = new Map<Expr, number>();
  const pending = kept.has(was) ? [] : [was];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    freed += costOf(node);
    for (const child of isPrimitive(node) ? [] : children(node)) {
      const others = (left.get(child) ?? uses.get(child) ?? 1) - 1;
      left.set(child, others);
      if (others === 0 && !kept.has(child)) pending.push(child);
    }
  }
  return { freed, made: fresh.reduce((sum, node) => sum + costOf(node), 0) };
}

/** Whether the gain is what a rule is used for. */
export const isWorthIt = ({ orient }: Rule, { freed, made }: Gain): boolean =>
  orient === 'canonical' ? made <= freed : made < freed;
