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
  const { classCount, nodes, nodeClass, firstChild, child } = graph;
  const choice = new Int32Array(classCount).fill(-1);
  const costs: (C | undefined)[] = new Array<C | undefined>(classCount).fill(undefined);
  const pending = makeWorklist(graph);
  let base = 0;
  const childCost = (index: number): C => costs[child[base + index] as number] as C;
  for (let n = pending.next(); n >= 0; n = pending.next()) {
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
    pending.offerUsers(own);
  }
  return ok({ choice, costs });
}

/** Nodes to look at, first in first out, each waiting at most once: at first all leaves. */
export interface Worklist {
  /** The next node; -1 if there is none. */
  next(): number;
  /** A class has changed: all nodes that need it are to be looked at. */
  offerUsers(eclass: number): void;
}

/** The worklist of a pass from the leaves up. */
export function makeWorklist({ nodeCount, firstChild, firstParent, parent }: FlatGraph): Worklist {
  const items = new Int32Array(nodeCount + 1);
  const waiting = new Uint8Array(nodeCount);
  let head = 0;
  let tail = 0;
  const push = (n: number): void => {
    if (waiting[n] === 1) return;
    waiting[n] = 1;
    items[tail] = n;
    tail = tail === nodeCount ? 0 : tail + 1;
  };
  for (let n = 0; n < nodeCount; n++) if (firstChild[n] === firstChild[n + 1]) push(n);
  return {
    next() {
      if (head === tail) return -1;
      const n = items[head] as number;
      head = head === nodeCount ? 0 : head + 1;
      waiting[n] = 0;
      return n;
    },
    offerUsers(eclass) {
      const end = firstParent[eclass + 1] as number;
      for (let k = firstParent[eclass] as number; k < end; k++) push(parent[k] as number);
    },
  };
}
