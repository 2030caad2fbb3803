import { fail, type Result } from '@baton/base';
import { ok } from '../result.ts';
import type { Choice } from './choice.ts';
import type { CostFunction } from './cost.ts';
import { badCost } from './diagnostics.ts';
import type { FlatGraph } from './flat.ts';
import type { ReadableNode } from './readable.ts';

/** The cheapest term of every class by tree cost. */
export interface TreeChoice<C> {
  readonly choice: Choice;
  /** The cost of every class, `undefined` where no term exists. */
  readonly costs: ReadonlyArray<C | undefined>;
}

/**
 * The cheapest node of every class, shared nodes counted at each use. A fixpoint over the parents
 * of what became cheaper; only a strictly cheaper node replaces another, so no cycle is chosen.
 *
 * **Errors** `EXTRACT_BAD_COST` for a cost below that of a child, or one that is not a number.
 *
 * **Complexity** each edge once for each time that its child becomes cheaper.
 */
export function cheapestTrees<C>(
  graph: FlatGraph,
  { cost, compare }: CostFunction<C>,
): Result<TreeChoice<C>> {
  const { classCount, nodeCount, nodes, nodeClass, firstChild, child } = graph;
  const choice = new Int32Array(classCount).fill(-1);
  const costs: (C | undefined)[] = new Array<C | undefined>(classCount).fill(undefined);
  const pending = makeQueue(nodeCount);
  for (let n = 0; n < nodeCount; n++) if (firstChild[n] === firstChild[n + 1]) pending.push(n);
  let base = 0;
  const childCost = (index: number): C => costs[child[base + index] as number] as C;
  for (let n = pending.pop(); n >= 0; n = pending.pop()) {
    base = firstChild[n] as number;
    const end = firstChild[n + 1] as number;
    let ready = true;
    for (let k = base; k < end && ready; k++) ready = costs[child[k] as number] !== undefined;
    if (!ready) continue;
    const node = nodes[n] as ReadableNode;
    const value = cost(node, childCost);
    for (let k = base; k < end; k++) {
      if (compare(value, costs[child[k] as number] as C) >= 0) continue;
      return fail(badCost(node.name, String(value), 'no less than the cost of a child'));
    }
    if (Number.isNaN(value)) return fail(badCost(node.name, 'NaN', 'a number'));
    const own = nodeClass[n] as number;
    const known = costs[own];
    if (value === Number.POSITIVE_INFINITY) continue;
    if (known !== undefined && compare(value, known) >= 0) continue;
    costs[own] = value;
    choice[own] = n;
    const last = graph.firstParent[own + 1] as number;
    for (let k = graph.firstParent[own] as number; k < last; k++) {
      pending.push(graph.parent[k] as number);
    }
  }
  return ok({ choice, costs });
}

/** A first-in first-out queue of small numbers, each in it at most once; `pop` gives -1 if empty. */
export function makeQueue(capacity: number): { push(item: number): void; pop(): number } {
  const items = new Int32Array(capacity + 1);
  const waiting = new Uint8Array(capacity);
  let head = 0;
  let tail = 0;
  return {
    push(item) {
      if (waiting[item] === 1) return;
      waiting[item] = 1;
      items[tail] = item;
      tail = tail === capacity ? 0 : tail + 1;
    },
    pop() {
      if (head === tail) return -1;
      const item = items[head] as number;
      head = head === capacity ? 0 : head + 1;
      waiting[item] = 0;
      return item;
    },
  };
}
