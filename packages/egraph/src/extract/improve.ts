import { type Choice, makeWalker, type Walker } from './choice.ts';
import { greedyFrom } from './context.ts';
import { childrenOf, type FlatGraph } from './flat.ts';
import { type Group, type GroupFinder, makeGroupFinder, type Selection } from './group.ts';

/** How large a group is whose members are also tried one by one and all but one. */
const MAX_SINGLES = 16;

/** A switch pays if it saves more than rounding does. */
const SAVING = 1 - 1e-12;

/** What the steps of an improvement share. */
interface Search {
  readonly graph: FlatGraph;
  readonly costs: Float64Array;
  readonly walker: Walker;
  readonly groups: GroupFinder;
  /** The choice for classes outside the DAG. */
  readonly fallback: Choice;
  readonly budget: Budget;
}

/** Edges that may be looked at, and how many were outside the walker and the groups. */
interface Budget {
  readonly limit: number;
  used: number;
}

/**
 * Joint improvement of a choice. If several classes can be read off one shared class (one product
 * whose parts are several results), no single switch pays, so all of them switch at once: the whole
 * DAG is priced again and the switch is kept if it is cheaper, until no switch is. After that each
 * group in turn is forced, and each class that is shared is forbidden, the rest is improved around
 * that, and the outcome is kept if it is cheaper.
 *
 * `start` must be acyclic from the roots. `budget` counts edges, so that the outcome is the same on
 * every machine. The result is never dearer than `start`.
 */
export function improveJointly(
  graph: FlatGraph,
  costs: Float64Array,
  start: Choice,
  budget: number,
): Choice {
  const search: Search = {
    graph,
    costs,
    walker: makeWalker(graph, costs),
    groups: makeGroupFinder(graph),
    fallback: start,
    budget: { limit: budget, used: 0 },
  };
  let best = select(search, start.slice());
  descend(search, best);
  for (let improved = true; improved; ) {
    improved = false;
    for (const shared of candidates(search, best)) {
      for (let attempt = 0; attempt < 3; attempt++) {
        if (spent(search)) return best.choice;
        const outcome =
          attempt === 0
            ? improveAround(search, best, shared)
            : improveWithout(search, best, shared, attempt === 1);
        if (outcome === undefined || !(outcome.cost < best.cost * SAVING)) continue;
        best = outcome;
        improved = true;
      }
    }
  }
  return best.choice;
}

function spent({ walker, groups, budget }: Search): boolean {
  return walker.steps + groups.steps + budget.used > budget.limit;
}

/** Improves until nothing outside the DAG, chosen for itself or for what is there, helps. */
function descend(search: Search, selection: Selection): void {
  const { graph, costs, fallback } = search;
  for (let pass = 0, idle = 0; idle < 2 && !spent(search); pass++) {
    const outside = pass % 2 === 0 ? greedyFrom(graph, costs, selection) : fallback;
    search.budget.used += graph.child.length;
    for (let c = 0; c < graph.classCount; c++) {
      if (selection.selected[c] === 0 && selection.locked[c] === 0) {
        selection.choice[c] = outside[c] as number;
      }
    }
    idle = sweep(search, selection) ? 0 : idle + 1;
  }
}

/** Offers every node within reach once; whether anything was taken. */
function sweep(search: Search, selection: Selection): boolean {
  let improved = false;
  for (const shared of candidates(search, selection)) {
    const end = search.graph.firstNode[shared + 1] as number;
    for (let node = search.graph.firstNode[shared] as number; node < end; node++) {
      if (spent(search)) return improved;
      if (search.costs[node] === Number.POSITIVE_INFINITY) continue;
      if (offer(search, selection, shared, node)) improved = true;
    }
  }
  return improved;
}

/** Computes `shared` by `node` and lets those who can use it, if that is cheaper. */
function offer(search: Search, selection: Selection, shared: number, node: number): boolean {
  const { choice, selected, locked } = selection;
  const own = new Map([[shared, node]]);
  if (selected[shared] === 1 && choice[shared] !== node) {
    return locked[shared] === 0 && take(search, selection, own, selection.cost);
  }
  const group = search.groups.find(selection, shared, node);
  return subsets(group.members).some((members) => {
    const switches = new Map(own);
    for (const member of members) group.route(member, switches);
    return take(search, selection, switches, selection.cost);
  });
}

/** The members together; of a small group also each alone, and all but each. */
function subsets(members: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> {
  const count = members.length;
  if (count === 0) return [];
  if (count === 1 || count > MAX_SINGLES) return [members];
  const others = members.map((left) => members.filter((m) => m !== left));
  return [members, ...(count === 2 ? [] : others), ...members.map((member) => [member])];
}

/** A copy of `from` in which all who can use `shared` do, improved first around that, then freely. */
function improveAround(search: Search, from: Selection, shared: number): Selection | undefined {
  const node = from.choice[shared] as number;
  if (node < 0) return undefined;
  const group: Group = search.groups.find(from, shared, node);
  if (group.members.length < 2) return undefined;
  const forced = select(search, from.choice.slice());
  const switches = new Map<number, number>([[shared, node]]);
  for (const member of group.members) group.route(member, switches);
  if (!take(search, forced, switches, Number.POSITIVE_INFINITY)) return undefined;
  for (const eclass of switches.keys()) forced.locked[eclass] = 1;
  descend(search, forced);
  forced.locked.fill(0);
  descend(search, forced);
  return forced;
}

/**
 * `from` without the class `shared`: lets its users choose again, or all that lies above it,
 * improves under that ban, then freely.
 */
function improveWithout(
  search: Search,
  from: Selection,
  shared: number,
  usersOnly: boolean,
): Selection | undefined {
  const { graph } = search;
  if (from.selected[shared] === 0 || graph.roots.includes(shared)) return undefined;
  const above = new Set([shared]);
  const users: number[] = [];
  for (const eclass of search.walker.order(from.choice) ?? []) {
    const needed = childrenOf(graph, from.choice[eclass] as number);
    if (needed.includes(shared)) users.push(eclass);
    if (needed.some((c) => above.has(c))) above.add(eclass);
  }
  if (users.length < 2) return undefined;
  search.budget.used += graph.nodeCount + graph.child.length;
  const costs = search.costs.slice();
  const start = graph.firstNode[shared] as number;
  costs.fill(Number.POSITIVE_INFINITY, start, graph.firstNode[shared + 1]);
  const kept = from.selected.slice();
  for (const eclass of above) kept[eclass] = 0;
  const choice = greedyFrom(graph, costs, { choice: from.choice, selected: kept });
  if (usersOnly) {
    for (const eclass of users) above.delete(eclass);
    for (const eclass of above) choice[eclass] = from.choice[eclass] as number;
  }
  const banned: Search = { ...search, costs, walker: makeWalker(graph, costs) };
  if (banned.walker.cost(choice) === Number.POSITIVE_INFINITY) return undefined;
  const other = select(banned, choice);
  descend(banned, other);
  search.budget.used += banned.walker.steps;
  const free = select(search, other.choice);
  descend(search, free);
  return free;
}

/** Makes the switches if the DAG then costs less than `bound`; else leaves everything as it was. */
function take(
  search: Search,
  selection: Selection,
  switches: ReadonlyMap<number, number>,
  bound: number,
): boolean {
  const { choice } = selection;
  const before: number[] = [];
  for (const [eclass, node] of switches) {
    before.push(choice[eclass] as number);
    choice[eclass] = node;
  }
  const cost = search.walker.costBelow(choice, bound * SAVING);
  if (cost === Number.POSITIVE_INFINITY) {
    let i = 0;
    for (const eclass of switches.keys()) choice[eclass] = before[i++] as number;
    return false;
  }
  selection.cost = cost;
  markSelected(search, selection);
  return true;
}

/** A selection from a choice that is acyclic from the roots. */
function select(search: Search, choice: Choice): Selection {
  const { graph, costs, walker } = search;
  const selection: Selection = {
    graph,
    costs,
    choice,
    selected: new Uint8Array(graph.classCount),
    locked: new Uint8Array(graph.classCount),
    cost: walker.cost(choice),
  };
  markSelected(search, selection);
  return selection;
}

function markSelected(search: Search, selection: Selection): void {
  selection.selected.fill(0);
  for (const c of search.walker.order(selection.choice) ?? []) selection.selected[c] = 1;
}

/** The classes within reach of the DAG through any node, those nearest first. */
function candidates(search: Search, selection: Selection): ReadonlyArray<number> {
  const { graph } = search;
  const seen = new Uint8Array(graph.classCount);
  const found: number[] = [];
  for (let c = 0; c < graph.classCount; c++) {
    if (selection.selected[c] === 0) continue;
    seen[c] = 1;
    found.push(c);
  }
  for (let at = 0; at < found.length; at++) {
    const eclass = found[at] as number;
    const from = graph.firstChild[graph.firstNode[eclass] as number] as number;
    const end = graph.firstChild[graph.firstNode[eclass + 1] as number] as number;
    for (let k = from; k < end; k++) {
      const next = graph.child[k] as number;
      if (seen[next] === 1) continue;
      seen[next] = 1;
      found.push(next);
    }
  }
  return found;
}
