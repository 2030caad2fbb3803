import type { FlatGraph } from './flat.ts';

/** How far below the classes of the DAG a shared class may lie behind nodes of its own. */
const MAX_ROUTE = 6;

/** How many classes a look upwards from one shared class visits. */
const MAX_VISITS = 2_000;

/** A selection being improved. Classes that are not selected have a choice too, for when they are. */
export interface Selection {
  readonly graph: FlatGraph;
  readonly costs: Float64Array;
  readonly choice: Int32Array;
  /** 1 for the classes that the roots need under `choice`. */
  readonly selected: Uint8Array;
  /** 1 for the classes whose choice must stay. */
  readonly locked: Uint8Array;
  cost: number;
}

/** The classes that could come to use one shared class, and how. */
export interface Group {
  /** Selected classes that could switch. */
  readonly members: ReadonlyArray<number>;
  /** The classes and nodes to choose so that `member` uses the shared class, added to `into`. */
  readonly route: (member: number, into: Map<number, number>) => void;
}

/** Finds groups, reusing its arrays. */
export interface GroupFinder {
  /** The classes that could come to use `shared` if it is computed by `node`. */
  find(selection: Selection, shared: number, node: number): Group;
  /** How many edges were looked at so far. */
  readonly steps: number;
}

/** A finder of groups in one graph. */
export function makeGroupFinder(graph: FlatGraph): GroupFinder {
  const { classCount, firstParent, parent, nodeClass, firstChild, child } = graph;
  const below = new Int32Array(classCount);
  const stack: number[] = [];
  let mark = 0;
  let steps = 0;

  /** Marks what `shared` needs: a class among it that switched to `shared` would need itself. */
  const markBelow = (choice: Int32Array, shared: number, node: number): void => {
    mark += 1;
    below[shared] = mark;
    const enter = (from: number): void => {
      const end = firstChild[from + 1] as number;
      for (let k = firstChild[from] as number; k < end; k++) {
        steps += 1;
        const next = child[k] as number;
        if (below[next] === mark) continue;
        below[next] = mark;
        if ((choice[next] as number) >= 0) stack.push(choice[next] as number);
      }
    };
    enter(node);
    while (stack.length > 0) enter(stack.pop() as number);
  };

  return {
    find(selection, shared, node) {
      const { choice, selected, locked, costs } = selection;
      markBelow(choice, shared, node);
      const via = new Map<number, { readonly node: number; readonly towards: number }>();
      const members: number[] = [];
      let level: number[] = [shared];
      for (let depth = 0; depth < MAX_ROUTE && level.length > 0; depth++) {
        const next: number[] = [];
        for (const eclass of level) {
          const end = firstParent[eclass + 1] as number;
          for (let k = firstParent[eclass] as number; k < end && via.size < MAX_VISITS; k++) {
            steps += 1;
            const user = parent[k] as number;
            const above = nodeClass[user] as number;
            if (below[above] === mark || locked[above] === 1) continue;
            if (costs[user] === Number.POSITIVE_INFINITY) continue;
            const known = via.get(above);
            if (known !== undefined) {
              // Of several nodes over one class the cheapest; a shorter route wins over a longer.
              const cheaper = (costs[user] as number) < (costs[known.node] as number);
              if (cheaper && known.towards === eclass && choice[above] !== known.node) {
                via.set(above, { node: user, towards: eclass });
              }
              continue;
            }
            via.set(above, { node: user, towards: eclass });
            if (selected[above] === 0) next.push(above);
            else if (choice[above] !== user) members.push(above);
          }
        }
        level = next;
      }
      return {
        members,
        route(member, into) {
          for (let at = member; at !== shared; ) {
            const step = via.get(at) as { readonly node: number; readonly towards: number };
            into.set(at, step.node);
            at = step.towards;
          }
        },
      };
    },
    get steps() {
      return steps;
    },
  };
}
