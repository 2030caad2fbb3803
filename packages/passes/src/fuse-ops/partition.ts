/**
 * Groups of nodes that become one kernel
 * ([passes §8](https://batonjs.github.io/baton/spec/passes#8), step C).
 */
import type { Count } from '@baton/pass-manager';
import { type Counter, fusionCounter } from './counters.ts';
import { type DominatorNode, postDominators } from './dominators.ts';
import type { GraphNode } from './graph.ts';
import {
  BROADCAST,
  COMM_REDUCE,
  ELEMWISE,
  INJECTIVE,
  OPAQUE,
  OUT_ELEMWISE_FUSABLE,
  type PatternRank,
  TUPLE,
} from './pattern.ts';

/** A set of nodes, in a union-find forest. */
export interface Group {
  parent: Group | undefined;
  /** The node whose value leaves the group. */
  readonly root: GraphNode;
  pattern: PatternRank;
  size: number;
}

export interface PartitionOptions {
  /** Groups grow no larger than this many nodes. */
  readonly maxDepth: number;
  /** Whether anything is fused: level 0 makes every call a separate kernel. */
  readonly fuses: boolean;
  /** Whether a movement of elements joins the convolution or product before it. */
  readonly movements: boolean;
  readonly count: Count<Counter>;
}

export function rootGroup(group: Group): Group {
  let root = group;
  while (root.parent !== undefined) root = root.parent;
  let at = group;
  while (at.parent !== undefined) {
    const next = at.parent;
    at.parent = root === at ? undefined : root;
    at = next;
  }
  return root;
}

/** A condition on the nodes of a path, the last one being the sink. */
type PathCondition = (pattern: PatternRank, isSink: boolean) => boolean;

/** The groups by node index; each node visits at most `maxDepth` nodes. */
export function partition(
  nodes: ReadonlyArray<GraphNode>,
  options: PartitionOptions,
): ReadonlyArray<Group> {
  const groups: Group[] = nodes.map((root) => ({
    parent: undefined,
    root,
    pattern: root.pattern,
    size: 1,
  }));
  if (!options.fuses) return groups;
  const dominators = postDominators(nodes);
  for (const phase of options.movements ? [0, 1, 2, 3] : [0, 1, 2]) {
    for (const [i, node] of nodes.entries()) {
      fuseNode(node, dominators[i] as DominatorNode, phase, groups, options);
    }
  }
  return groups;
}

function fuseNode(
  node: GraphNode,
  { parent, pattern: path }: DominatorNode,
  phase: number,
  groups: ReadonlyArray<Group>,
  { maxDepth, count }: PartitionOptions,
): void {
  const group = groups[node.index] as Group;
  const sink = parent.node;
  if (group.pattern === OPAQUE || sink === undefined) return;
  const sinkGroup = groups[sink.index] as Group;
  // Most nodes are tried in two phases: the last one counts why they stay.
  const keep = (counter: Counter): void => {
    if (phase > 0 || group.pattern === OUT_ELEMWISE_FUSABLE) count(counter);
  };
  const groupOf = (at: GraphNode): Group => groups[at.index] as Group;
  const fuseIf = (condition: PathCondition): void => {
    const between = pathTo(node, sink, groups, maxDepth);
    const holds = (at: GraphNode) => condition(rootGroup(groupOf(at)).pattern, at === sink);
    if (between === undefined) keep('kept: too deep');
    else if (!between.every(holds)) keep('kept: harder path');
    else {
      const counter = fusionCounter(group.pattern, sinkPattern(sinkGroup));
      if (counter !== undefined && rootGroup(group) !== rootGroup(sinkGroup)) count(counter);
      for (const at of [node, ...between]) join(groupOf(at), sinkGroup);
    }
  };
  if (phase === 3) {
    // The last phase, so that elementwise calls come first: a group is built around one operator.
    const isResult = rootGroup(group) === group && group.pattern === OUT_ELEMWISE_FUSABLE;
    if (isResult && path <= INJECTIVE) fuseIf((p) => p <= INJECTIVE);
    return;
  }
  if (phase === 2) {
    if (sinkGroup.pattern === TUPLE && rootGroup(sinkGroup).pattern === TUPLE) {
      keep('kept: tuple of results');
    }
    // Tuples in the middle of a group that has formed around them.
    const formed = rootGroup(sinkGroup);
    const throughTuple = sinkGroup.pattern === TUPLE && formed.pattern <= INJECTIVE;
    if (group.pattern <= INJECTIVE && throughTuple) fuseIf((p) => p <= INJECTIVE);
    return;
  }
  if (rootGroup(group) === rootGroup(sinkGroup) || sinkGroup.pattern === TUPLE) return;
  if (group.pattern === OUT_ELEMWISE_FUSABLE) {
    if (phase === 0 && path === ELEMWISE) fuseIf((p) => p <= BROADCAST);
  } else if (group.pattern <= BROADCAST) {
    if (path <= INJECTIVE || path === COMM_REDUCE) {
      fuseIf((p, isSink) => (isSink ? p <= OUT_ELEMWISE_FUSABLE : p <= INJECTIVE));
    }
  } else if (phase === 1 && (group.pattern === INJECTIVE || group.pattern === TUPLE)) {
    fuseIf((p) => p <= INJECTIVE);
  }
}

/** A tuple in the middle of a group has its own pattern, any other node its group's. */
const sinkPattern = (sinkGroup: Group): PatternRank =>
  sinkGroup.pattern === TUPLE ? TUPLE : rootGroup(sinkGroup).pattern;

/** The nodes from below `source` to `sink`; `undefined` if their group would be too large. */
function pathTo(
  source: GraphNode,
  sink: GraphNode,
  groups: ReadonlyArray<Group>,
  maxDepth: number,
): ReadonlyArray<GraphNode> | undefined {
  const sizeOf = (node: GraphNode): number => (groups[node.index] as Group).size;
  let size = rootGroup(groups[sink.index] as Group).size + sizeOf(source);
  const seen = new Set<GraphNode>([source]);
  for (const at of seen) {
    if (size > maxDepth) return undefined;
    if (at === sink) continue;
    for (const { user } of at.uses) {
      if (user !== sink && !seen.has(user)) size += sizeOf(user);
      seen.add(user);
    }
  }
  return size > maxDepth ? undefined : [...seen].slice(1);
}

function join(child: Group, target: Group): void {
  const from = rootGroup(child);
  const into = rootGroup(target);
  if (from === into) return;
  into.size += from.size;
  // A group has the pattern of its result, except for the one operator that it is built around.
  if (from.pattern === OUT_ELEMWISE_FUSABLE) into.pattern = OUT_ELEMWISE_FUSABLE;
  from.parent = into;
}
