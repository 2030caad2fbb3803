/** Groups of classes that could switch to a shared class together. */
import type { Walker } from './choice.ts';
import type { Choice, FlatGraph, FlatNode } from './flat.ts';

/** How far below the classes of the DAG a shared class may be, through unselected nodes. */
const MAX_ROUTE = 6;

/** The most classes that a search upwards from one shared class visits. */
const MAX_VISITS = 2_000;

/** A selection under improvement. Unselected classes have a choice too, for later selection. */
export interface Selection {
  choice: Choice;
  /** The classes that the roots need under `choice`, children first. */
  selected: ReadonlySet<number>;
  /** The classes whose choice must stay. */
  locked: ReadonlySet<number>;
  cost: number;
}

/** For each of several classes, the nodes to choose so that it uses one shared class. */
export type Group = ReadonlyArray<ReadonlyArray<FlatNode>>;

/** A way for a class to use a shared one. */
interface Step {
  readonly node: FlatNode;
  /** The class below `node` on this way. */
  readonly towards: number;
  /** The number of classes from here to the shared one. */
  readonly depth: number;
}

/** The selected classes that could use the class of `shared` if that node computes it. */
export function findGroup(
  { users }: FlatGraph,
  { choice, selected, locked }: Selection,
  shared: FlatNode,
  walker: Walker,
): Group {
  const isNow = (node: FlatNode): boolean => selected.has(node.home) && choice[node.home] === node;
  if ((users[shared.home] as FlatNode[]).every(isNow)) return [];
  // A class that `shared` needs would need itself after a switch.
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
      // Of several nodes over one class the cheapest helps; a shorter route wins over a longer one.
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
