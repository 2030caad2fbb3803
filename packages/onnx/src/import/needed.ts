/** The nodes of a graph that its outputs need: unused nodes are neither imported nor refused. */
import type { GraphProto, NodeProto } from '../protobuf/messages.ts';

/** A node with its place in its graph. */
export type PlacedNode = readonly [index: number, node: NodeProto];

/** The nodes that the outputs of these names need, in the order of the file. */
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
  return [...nodes.entries()].filter(([index]) => needed.has(index));
}

/** The names of values that a node uses, also in its branches. */
export function usedNames(node: NodeProto): ReadonlyArray<string> {
  const names = [...node.inputs];
  const pending = [...graphsOf(node)];
  for (let graph = pending.pop(); graph !== undefined; graph = pending.pop()) {
    for (const output of graph.outputs) names.push(output.name);
    for (const inner of graph.nodes) {
      for (const name of inner.inputs) names.push(name);
      pending.push(...graphsOf(inner));
    }
  }
  return names;
}

/** The graphs in a node's attributes: branches and bodies of loops. */
export const graphsOf = (node: NodeProto): ReadonlyArray<GraphProto> =>
  node.attributes.flatMap(({ value }) => {
    if (value.kind === 'graph') return [value.value];
    return value.kind === 'graphs' ? value.value : [];
  });
