/** The gain of a step of the greedy engine: the costs of the nodes that go and of those that come. */
import { children, type Expr, type IRModule, postOrderExprs } from '@baton/ir';
import { isPrimitive } from '@baton/pass-manager';
import type { NodeCost } from '../cost.ts';
import type { Step } from '../match/apply.ts';

/** The costs of the nodes that a step frees and of those that it makes. */
export interface Gain {
  readonly freed: number;
  readonly made: number;
}

/**
 * The gain of a step in the place of `was`. It makes the nodes of its result that no hole stands
 * for, and frees those that only freed nodes use.
 *
 * **Complexity** linear in the nodes that are freed or made, and their children.
 */
export function gainOf(
  was: Expr,
  { results, matched }: Step,
  usesOf: (node: Expr) => number,
  cost: NodeCost,
  m: IRModule,
): Gain {
  const known = new Set(matched);
  const kept = new Set<Expr>();
  const fresh = postOrderExprs(results, (node) => {
    if (known.has(node)) kept.add(node);
    return known.has(node) || isPrimitive(node);
  });
  let freed = 0;
  const left = new Map<Expr, number>();
  const pending = kept.has(was) ? [] : [was];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    freed += cost(node, m);
    for (const child of isPrimitive(node) ? [] : children(node)) {
      const uses = (left.get(child) ?? usesOf(child)) - 1;
      left.set(child, uses);
      if (uses === 0 && !kept.has(child)) pending.push(child);
    }
  }
  return { freed, made: fresh.reduce((sum, node) => sum + cost(node, m), 0) };
}
