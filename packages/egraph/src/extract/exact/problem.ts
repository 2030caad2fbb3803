/** An extraction under simplification. */
import type { Choice, FlatGraph, FlatNode } from '../flat.ts';

/** A way to compute a class: one node, together with the options that were merged into it. */
export interface Option extends FlatNode {
  /** The node of the class itself. */
  readonly node: FlatNode;
  /** Options of other classes that are taken whenever this one is. */
  readonly merged: ReadonlyArray<Option>;
}

/** The options of each class; empty for a class that no solution needs any more. */
export interface Problem {
  readonly classes: Option[][];
  /** The classes that every solution computes. */
  readonly roots: Set<number>;
  /** The options that every solution takes, and those of classes that cost nothing. */
  readonly settled: Option[];
  /** The cost of what every solution takes. */
  base: number;
}

export function problemOf(graph: FlatGraph): Problem {
  const classes = graph.classes.map((nodes, home) =>
    nodes
      .filter(({ children }) => !children.includes(home))
      .map((node) => makeOption(home, node, [], node.cost, node.children)),
  );
  return { classes, roots: new Set(graph.roots), settled: [], base: 0 };
}

/** A problem that changes apart from this one: options never change, only lists of them do. */
export const copyOf = ({ classes, roots, settled, base }: Problem): Problem => ({
  classes: classes.map((options) => options.slice()),
  roots: new Set(roots),
  settled: settled.slice(),
  base,
});

/** An option of the class `home`; `children` in any order, with repetitions. */
export function makeOption(
  home: number,
  node: FlatNode,
  merged: ReadonlyArray<Option>,
  cost: number,
  children: ReadonlyArray<number>,
): Option {
  const sorted = [...new Set(children)].sort((a, b) => a - b);
  return { source: node.source, home, children: sorted, cost, node, merged };
}

export const revise = (
  { home, node, merged }: Option,
  cost: number,
  children: ReadonlyArray<number>,
): Option => makeOption(home, node, merged, cost, children);

export const without = (option: Option, child: number): Option =>
  revise(
    option,
    option.cost,
    option.children.filter((c) => c !== child),
  );

/** `option` with `below`, an option of one of its children, merged into it. */
export function mergeInto({ home, node, merged, cost, children }: Option, below: Option): Option {
  const others = children.filter((c) => c !== below.home);
  return makeOption(
    home,
    node,
    [...merged, below],
    cost + below.cost,
    others.concat(below.children),
  );
}

/** The classes that some solution may need, those nearest to the roots first; others lose theirs. */
export function reach({ classes, roots }: Problem): ReadonlyArray<number> {
  const live = new Set(roots);
  for (const c of live) {
    for (const { children } of classes[c] as Option[])
      for (const below of children) live.add(below);
  }
  for (let c = 0; c < classes.length; c++) {
    if (!live.has(c) && (classes[c] as Option[]).length > 0) classes[c] = [];
  }
  return [...live];
}

export function graphOf({ classes, roots }: Problem): FlatGraph {
  const users: Option[][] = classes.map(() => []);
  for (const options of classes) {
    for (const option of options) for (const c of option.children) users[c]?.push(option);
  }
  return { classes, users, roots: [...roots] };
}

/** Enters the choices that these options represent in `choice`. */
export function choose(choice: Choice, options: ReadonlyArray<Option>): void {
  const stack = options.slice();
  for (let option = stack.pop(); option; option = stack.pop()) {
    choice[option.node.home] = option.node;
    for (const below of option.merged) stack.push(below);
  }
}
