/** The nodes of a graph that its outputs need: unused nodes are neither imported nor refused. */
import type { GraphProto, NodeProto } from '../protobuf/messages.ts';

/** A node with its place in its graph. */
export type PlacedNode = readonly [index: number, node: NodeProto];

/**
 * The nodes that the outputs of these names need, each after those that it uses: in the order of the
 * file, except where that has a node before one that it needs. Nodes of a cycle stay as they are.
 */
export function neededNodes(
  nodes: ReadonlyArray<NodeProto>,
  outputs: ReadonlyArray<string>,
): ReadonlyArray<PlacedNode> {
  const producers = new Map<string, number[]>();
  for (const [index, node] of nodes.entries()) {
    for (const name of node.outputs) {
      const known = producers.get(name);
      if (known === undefined) producers.set(name, [index]);
      else known.push(index);
    }
  }
  const needed = new Set<number>();
  const pending = [...outputs];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const makers = name === '' ? [] : (producers.get(name) ?? []);
    producers.delete(name);
    for (const index of makers) {
      const node = nodes[index];
      if (node === undefined || needed.has(index)) continue;
      needed.add(index);
      for (const used of usedNames(node)) pending.push(used);
    }
  }
  return sorted([...nodes.entries()].filter(([index]) => needed.has(index)));
}

/** Whether a list of nodes is in another order than in the file. */
export const isSorted = (nodes: ReadonlyArray<PlacedNode>): boolean =>
  nodes.some(([index], at) => index < (nodes[at - 1]?.[0] ?? 0));

/** The nodes, each after the makers of its inputs. */
function sorted(nodes: ReadonlyArray<PlacedNode>): ReadonlyArray<PlacedNode> {
  const makers = new Map<string, PlacedNode>();
  for (const placed of nodes) {
    for (const name of placed[1].outputs) if (!makers.has(name)) makers.set(name, placed);
  }
  const started = new Set<PlacedNode>();
  const done: PlacedNode[] = [];
  const begin = (placed: PlacedNode) => {
    started.add(placed);
    return { placed, used: usedNames(placed[1]).values() };
  };
  for (const start of nodes) {
    const open = started.has(start) ? [] : [begin(start)];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { value: name, done: isDone } = last.used.next();
      const maker = isDone ? undefined : makers.get(name);
      if (isDone) done.push(...open.splice(-1).map(({ placed }) => placed));
      else if (maker !== undefined && !started.has(maker)) open.push(begin(maker));
    }
  }
  return done;
}

/** The names of values from outside that a node uses, also in its branches. */
export function usedNames(node: NodeProto): ReadonlyArray<string> {
  const names = node.inputs.filter((name) => name !== '');
  const pending = graphsOf(node).map((graph) => ({ graph, outer: undefined as Scope }));
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const { graph, outer } = part;
    const scope = { names: definedIn(graph), outer };
    const use = (name: string): void => void (isIn(scope, name) || names.push(name));
    for (const output of graph.outputs) use(output.name);
    for (const inner of graph.nodes) {
      inner.inputs.forEach(use);
      pending.push(...graphsOf(inner).map((each) => ({ graph: each, outer: scope })));
    }
  }
  return names;
}

/** The names of a graph inside a node, and of those around it up to the node. */
type Scope = { readonly names: ReadonlySet<string>; readonly outer: Scope } | undefined;

const definedIn = (graph: GraphProto): ReadonlySet<string> =>
  new Set([
    ...graph.inputs.map(({ name }) => name),
    ...graph.initializers.map(({ name }) => name),
    ...graph.sparseInitializers.map(({ values }) => values.name),
    ...graph.nodes.flatMap(({ outputs }) => outputs),
  ]);

/** Whether a name, which may be the empty one of an absent input, is of one of the graphs. */
function isIn(scope: Scope, name: string): boolean {
  for (let at = scope; at !== undefined; at = at.outer) if (at.names.has(name)) return true;
  return name === '';
}

/** The graphs in a node's attributes: branches and bodies of loops. */
export const graphsOf = (node: NodeProto): ReadonlyArray<GraphProto> =>
  node.attributes.flatMap(({ value }) => {
    if (value.kind === 'graph') return [value.value];
    return value.kind === 'graphs' ? value.value : [];
  });
