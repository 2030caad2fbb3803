/**
 * The matches of a pattern in a program that can be replaced together
 * ([passes §26](https://batonjs.github.io/baton/spec/passes#26)).
 */
import { postOrder } from '@baton/base';
import { children, type Expr, postOrderExprs } from '@baton/ir';
import { type Found, keyOf } from './found.ts';
import type { Graph } from './graph.ts';
import { type GraphPattern, graphPartsOf } from './pattern.ts';
import { isName, type Site, searchAt } from './search.ts';

/** The attribute of functions that a partition makes. */
export const PARTITIONED = 'PartitionedFromPattern';

/** A match, and the part of the program that it stands for. */
export interface Group {
  readonly root: Expr;
  readonly found: Found;
  /** What the pattern takes from outside, in the order of its parts. */
  readonly inputs: ReadonlyArray<Expr>;
  /** The nodes between the root and the inputs, callees and arguments first, the root last. */
  readonly interior: ReadonlyArray<Expr>;
  /** Whether other nodes use some of the interior, too. */
  readonly isShared: boolean;
}

/** The groups of a program by their roots, in the order in which they are found. */
export type Groups = ReadonlyMap<Expr, Group>;

/**
 * The matches from the root of the program down that have no node in common. What a match has inside
 * is used by nothing outside of it, unless all uses lead back into its root.
 *
 * **Complexity** a search at each node, and the nodes of each match.
 */
export function groupsOf(site: Site, p: GraphPattern): Groups {
  const { graph } = site;
  const parts = postOrder(graphPartsOf, [p]);
  const leaves = parts.filter(isLeaf);
  const functions = parts.filter(({ _tag }) => _tag === 'Function');
  const groups = new Map<Expr, Group>();
  const taken = new Set<Expr>();
  const done = partitioned(graph);
  for (let i = graph.order.length - 1; i >= 0; i--) {
    const root = graph.order[i] as Expr;
    if (taken.has(root) || done.has(root)) continue;
    const found = searchAt(site, p, root);
    const group = found && groupOf(root, found, leaves, functions, graph);
    if (group?.interior.some((node) => taken.has(node) && isComputed(node)) !== false) continue;
    for (const node of group.interior) taken.add(node);
    groups.set(root, group);
  }
  return groups;
}

/** Functions that a partition has made, and all in them. */
function partitioned(graph: Graph): ReadonlySet<Expr> {
  const done = new Set<Expr>();
  for (const node of graph.order) {
    if (node._tag !== 'Function' || node.attrs[PARTITIONED] === undefined) continue;
    for (const inner of postOrderExprs([node], (e) => done.has(e))) done.add(inner);
  }
  return done;
}

/** Whether what a pattern matches is taken from outside: a leaf, or the parts of an open form. */
const isLeaf = (p: GraphPattern): boolean =>
  graphPartsOf(p).length === 0 || (p._tag === 'Apply' && p.args === undefined);

/** The group of a match; none if its inside is used elsewhere. */
function groupOf(
  root: Expr,
  found: Found,
  leaves: ReadonlyArray<GraphPattern>,
  functions: ReadonlyArray<GraphPattern>,
  graph: Graph,
): Group | undefined {
  const nodesOf = (p: GraphPattern) => found.nodes.get(keyOf(p)) ?? [];
  // What lies inside of a matched function is a part of it, and so is the way to a dominator.
  const inside = new Set(functions.flatMap(nodesOf).flatMap((f) => postOrderExprs([f])));
  for (const key of found.nodes.keys()) {
    if (typeof key === 'string' || key._tag !== 'Dominator') continue;
    for (const node of [...nodesOf(key.parent), ...nodesOf(key.path)]) inside.add(node);
  }
  const inputs = new Set<Expr>();
  for (const leaf of leaves) {
    for (const node of nodesOf(leaf).flatMap((matched) => takenBy(leaf, matched))) {
      if (!inside.has(node)) inputs.add(node);
    }
  }
  const isOutside = (node: Expr): boolean => inputs.has(node);
  const interior = isOutside(root) ? [root] : postOrder(calleeFirst, [root], isOutside);
  const uses = usesOf(interior, root, graph);
  return uses === 'elsewhere'
    ? undefined
    : { root, found, inputs: [...inputs], interior, isShared: uses === 'shared' };
}

/** The inputs that a node is for a leaf: the node, or the parts of it that the leaf leaves open. */
function takenBy(leaf: GraphPattern, node: Expr): ReadonlyArray<Expr> {
  if (leaf._tag === 'AnyTuple') return node._tag === 'Tuple' ? node.fields.filter(isInput) : [];
  if (leaf._tag === 'Apply') return node._tag === 'Call' ? node.args.filter(isInput) : [];
  const isKept = node._tag === 'Constant' && EMBEDDING.has(leaf._tag);
  return isInput(node) && !isKept ? [node] : [];
}

/** Names and functions go into the group as they are. */
const isInput = (node: Expr): boolean => !isName(node) && node._tag !== 'Function';

/** The patterns of constants, which a group includes. */
const EMBEDDING: ReadonlySet<GraphPattern['_tag']> = new Set([
  'AnyConstant',
  'Equal',
  'Number',
] as const);

const calleeFirst = (node: Expr): ReadonlyArray<Expr> =>
  node._tag === 'Call' ? [node.op, ...node.args] : children(node);

/** Whether a node is a computation of its own, which two groups cannot share. */
export const isComputed = (node: Expr): boolean =>
  isInput(node) && node._tag !== 'Constant' && node._tag !== 'Var';

/** The uses of a group's inside: only there, also before its root, or elsewhere. */
function usesOf(
  interior: ReadonlyArray<Expr>,
  root: Expr,
  graph: Graph,
): 'own' | 'shared' | 'elsewhere' {
  const own = new Set(interior);
  let uses: 'own' | 'shared' = 'own';
  for (const node of interior) {
    if (node === root || !isComputed(node)) continue;
    // An expression inside a kernel is not seen.
    if (!graph.has(node)) return 'elsewhere';
    for (const user of graph.usersOf(node)) {
      if (own.has(user)) continue;
      if (!graph.dominates(root, user)) return 'elsewhere';
      uses = 'shared';
    }
  }
  return uses;
}
