/** A snapshot of an e-graph in arrays, for extraction. */
import { fail, ok, type Result } from '@baton/base';
import { badCost, unknownRoot } from '../diagnostics.ts';
import type { NodeCost } from './cost.ts';
import { type GraphSource, type ReadableNode, readable } from './readable.ts';

export interface FlatNode {
  readonly source: ReadableNode;
  /** The class that the node is in. */
  readonly home: number;
  readonly children: ReadonlyArray<number>;
  /** Its cost without its children. */
  readonly cost: number;
}

/** A snapshot of an e-graph: classes are numbered from 0. */
export interface FlatGraph {
  readonly classes: ReadonlyArray<ReadonlyArray<FlatNode>>;
  /** The nodes with a child in each class, each once. */
  readonly users: ReadonlyArray<ReadonlyArray<FlatNode>>;
  readonly roots: ReadonlyArray<number>;
}

/** The chosen node of every class, if there is one. */
export type Choice = (FlatNode | undefined)[];

/** Reads a complete graph except nodes of infinite cost, which are never chosen. */
export function flatten(
  source: GraphSource,
  roots: ReadonlyArray<number>,
  nodeCost: NodeCost,
): Result<FlatGraph> {
  const graph = readable(source);
  const ids = [...graph.classIds()];
  const indexOf: Record<number, number> = [];
  for (const [index, id] of ids.entries()) indexOf[id] = index;
  // A list that grew by `push` has spare room, so complete lists are copied.
  const users: FlatNode[][] = ids.map(() => []);
  const classes: FlatNode[][] = [];
  for (const [home, id] of ids.entries()) {
    const members: FlatNode[] = [];
    for (const it of graph.nodesOf(id)) {
      const cost = nodeCost(it);
      if (!(cost >= 0)) return fail(badCost(it.name, cost, 'a number of 0 or more'));
      if (cost === Infinity) continue;
      const children = it.children.map((c) => indexOf[graph.find(c)] as number);
      const node = { source: it, home, children, cost };
      members.push(node);
      for (const c of children) {
        const above = users[c] as FlatNode[];
        if (above.at(-1) !== node) above.push(node);
      }
    }
    classes.push(members.slice());
  }
  const rootIndices: number[] = [];
  for (const root of roots) {
    const index = indexOf[graph.find(root)];
    if (index === undefined) return fail(unknownRoot(root));
    rootIndices.push(index);
  }
  return ok({ classes, users: users.map((above) => above.slice()), roots: rootIndices });
}

/** The classes within reach of some through the nodes that are given for each, those nearest first. */
export function reachable(
  from: Iterable<number>,
  nodesOf: (eclass: number) => ReadonlyArray<FlatNode>,
): ReadonlySet<number> {
  const found = new Set(from);
  // A set is iterated in the order of insertion, with elements added on the way.
  for (const c of found) {
    for (const { children } of nodesOf(c)) for (const child of children) found.add(child);
  }
  return found;
}
