/** Joint improvement of a choice. */
import { makeWalker, type Walker } from './choice.ts';
import { type Choice, type FlatGraph, type FlatNode, reachable } from './flat.ts';
import { findGroup, type Group, type Selection } from './group.ts';
import { cheapestAround } from './tree.ts';
import { makeUses } from './uses.ts';

/** The largest group whose members are also tried one by one, and all but one. */
const MAX_SINGLES = 16;

/** A switch is profitable if it saves more than rounding does. */
const SAVING = 1 - 1e-12;

/**
 * Joint improvement of a choice. If several results can be read off one shared class (such as one
 * product whose parts are several results), no single switch is profitable, so all of them switch at once:
 * the whole DAG is priced again and a cheaper switch is kept, until none is cheaper. After that
 * shared classes are forbidden one at a time; the rest is improved around each, and a cheaper outcome
 * is kept.
 *
 * `start` must be acyclic from the roots. The limits count edges, so that the outcome is the same on
 * every machine: `most` in all, and `least` once all nodes within reach have been looked at. The result
 * is never dearer than `start`.
 */
export function improveJointly(
  graph: FlatGraph,
  start: Choice,
  most: number,
  least: number,
): Choice {
  const walker = makeWalker(graph);
  let limit = most;
  const isSpent = (): boolean => walker.steps > limit;
  const settle = makeDescent(graph, start, walker, isSpent, () => {
    limit = Math.min(most, least);
  });

  /** A copy without the class `shared`: its users choose again, or everything above it does. */
  const improveWithout = (
    { choice: before, selected }: Selection,
    shared: number,
    usersOnly: boolean,
  ): Selection | undefined => {
    const above = new Set([shared]);
    const users = new Set<number>();
    for (const c of selected) {
      const { children } = before[c] as FlatNode;
      if (children.includes(shared)) users.add(c);
      if (children.some((child) => above.has(child))) above.add(c);
    }
    if (users.size < 2) return undefined;
    walker.steps += graph.classes.length;
    const current = before.with(shared, undefined);
    const isKept = (c: number): boolean => c === shared || (selected.has(c) && !above.has(c));
    const choice = cheapestAround(graph, current, isKept).choice.map((node, c) =>
      usersOnly && above.has(c) && !users.has(c) ? current[c] : node,
    );
    return settle(choice, new Set([shared]));
  };

  let best = settle(start.slice(), new Set());
  for (let improved = true; improved && best; ) {
    improved = false;
    for (const shared of reachable(best.selected, (c) => graph.classes[c] as FlatNode[])) {
      for (const usersOnly of [true, false]) {
        if (isSpent()) return best.choice;
        const outcome = improveWithout(best, shared, usersOnly);
        if (!outcome || outcome.cost >= best.cost * SAVING) continue;
        best = outcome;
        improved = true;
      }
    }
  }
  return best?.choice ?? start;
}

/** The choice improved, first with locks, then freely; `undefined` if it is no choice at all. */
type Settle = (choice: Choice, locked: ReadonlySet<number>) => Selection | undefined;

function makeDescent(
  graph: FlatGraph,
  start: Choice,
  walker: Walker,
  isSpent: () => boolean,
  swept: () => void,
): Settle {
  const { classes } = graph;
  const nodesOf = (c: number): ReadonlyArray<FlatNode> => classes[c] as FlatNode[];

  const uses = makeUses(graph, walker);

  /** Makes the switches if the DAG then costs less than `bound`; else restores it. */
  const take = (it: Selection, switches: ReadonlyArray<FlatNode>, bound: number): boolean => {
    const { choice } = it;
    const before = new Map(switches.map(({ home }) => [home, choice[home]]));
    for (const node of switches) choice[node.home] = node;
    // Most switches cost more, which their own edges tell; only a walk tells that a choice has no cycle.
    const isDearer = bound < Infinity && it.cost + uses.difference(choice, before) >= bound;
    const cost = isDearer ? Infinity : walker.cost(choice, bound * SAVING);
    if (cost === Infinity) {
      for (const [home, node] of before) choice[home] = node;
      return false;
    }
    it.cost = cost;
    it.selected = new Set(walker.order);
    uses.reset(choice);
    return true;
  };

  /** Computes the class of `shared` by it, and lets all possible users switch, if profitable. */
  const offer = (it: Selection, shared: FlatNode): boolean => {
    const { choice, cost, locked, selected } = it;
    if (choice[shared.home] !== shared) {
      if (locked.has(shared.home)) return false;
      if (selected.has(shared.home)) return take(it, [shared], cost);
    }
    return subsets(findGroup(graph, it, shared, walker)).some((some) =>
      take(it, [shared].concat(...some), cost),
    );
  };

  /** Offers every node within reach once; whether any was taken. */
  const sweep = (it: Selection): boolean => {
    let improved = false;
    for (const c of reachable(it.selected, nodesOf)) {
      for (const node of nodesOf(c)) {
        if (isSpent()) return improved;
        if (offer(it, node)) improved = true;
      }
    }
    swept();
    return improved;
  };

  /** Improves until no node outside the DAG helps, separately or with its users. */
  const descend = (it: Selection): void => {
    const isFixed = (c: number): boolean => it.selected.has(c) || it.locked.has(c);
    for (let pass = 0, idle = 0; idle < 2 && !isSpent(); pass++) {
      it.choice =
        pass % 2 === 0
          ? cheapestAround(graph, it.choice, isFixed).choice
          : start.map((node, c) => (isFixed(c) ? it.choice[c] : node));
      walker.steps += classes.length;
      idle = sweep(it) ? 0 : idle + 1;
    }
  };

  return (choice, locked) => {
    const it: Selection = { choice, locked, selected: locked, cost: 0 };
    if (!take(it, [], Infinity)) return undefined;
    descend(it);
    if (locked.size > 0) {
      it.locked = new Set();
      descend(it);
    }
    return it;
  };
}

/** The members together; of a small group also each separately, and all but each. */
function subsets(group: Group): ReadonlyArray<Group> {
  const count = group.length;
  if (count === 0) return [];
  if (count === 1 || count > MAX_SINGLES) return [group];
  const others = group.map((left) => group.filter((m) => m !== left));
  return [group, ...(count === 2 ? [] : others), ...group.map((member) => [member])];
}
