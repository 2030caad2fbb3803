import type { Walker } from './choice.ts';
import type { Choice, FlatGraph, FlatNode } from './flat.ts';

/** How far below the classes of the DAG a shared class may lie behind nodes of its own. */
const MAX_ROUTE = 6;

/** How many classes a look upwards from one shared class visits. */
const MAX_VISITS = 2_000;

/** A selection being improved. Classes that are not selected have a choice too, for when they are. */
export interface Selection {
  choice: Choice;
  /** The classes that the roots need under `choice`, children first. */
  selected: ReadonlySet<number>;
  /** The classes whose choice must stay. */
  locked: ReadonlySet<number>;
  cost: number;
}

/** The ways in which each of several classes could come to use one shared class: nodes to choose. */
export type Group = ReadonlyArray<ReadonlyArray<FlatNode>>;

/** How a class could come to use a shared one. */
interface Step {
  readonly node: FlatNode;
  /** The class below `node` through which it does. */
  readonly towards: number;
  /** How many classes there are from here to the shared one. */
  readonly depth: number;
}

/** The selected classes that could come to use the class of `shared` if it is computed by that. */
export function findGroup(
  { users }: FlatGraph,
  { choice, selected, locked }: Selection,
  shared: FlatNode,
  walker: Walker,
): Group {
  // A class that `shared` needs would need itself if it switched.
  const before = choice[shared.home];
  choice[shared.home] = shared;
  const cost = walker.cost(choice, Infinity, [shared.home]);
  choice[shared.home] = before;
  if (cost === Infinity) return [];
  const via = new Map<number, Step>([[shared.home, { node: shared, towards: -1, depth: 0 }]]);
  const group: FlatNode[][] = [];
  for (const [towards, { depth }] of via) {
    if (depth === MAX_ROUTE) break;
    if (depth > 0 && selected.has(towards)) continue;
    for (const node of users[towards] as FlatNode[]) {
      walker.steps += 1;
      const { home } = node;
      if (walker.has(home) || locked.has(home)) continue;
      const known = via.get(home);
      // Of several nodes over one class the cheapest; a shorter route wins over a longer.
      const helps =
        known === undefined
          ? via.size <= MAX_VISITS
          : known.towards === towards && choice[home] !== known.node && node.cost < known.node.cost;
      if (helps) via.set(home, { node, towards, depth: depth + 1 });
    }
  }
  for (const [member, { node }] of via) {
    if (node === shared || !selected.has(member) || choice[member] === node) continue;
    const route: FlatNode[] = [];
    for (let at = member; at !== shared.home; ) {
      const step = via.get(at) as Step;
      route.push(step.node);
      at = step.towards;
    }
    group.push(route);
  }
  return group;
}
