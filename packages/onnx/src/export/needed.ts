/** The nodes of a graph whose results are used. */
import type { Operand } from '../operator-api/exporter.ts';
import type { DraftNode, GraphBuilder, InnerGraph } from './graph-builder.ts';

/**
 * The graph without nodes whose results are not used. Recursion is as deep as graphs nest, which
 * {@link MAX_GRAPH_DEPTH} bounds.
 */
export function needed(graph: InnerGraph): InnerGraph {
  const used = new Set<Operand>(graph.outputs);
  return { ...graph, draft: neededIn(graph.draft, used) };
}

/** The needed nodes; what they use is added to `used`. */
function neededIn(draft: GraphBuilder, used: Set<Operand>): GraphBuilder {
  const nodes: DraftNode[] = [];
  for (const node of draft.nodes.toReversed()) {
    if (!node.outputs.some((output) => used.has(output))) continue;
    for (const input of node.inputs) if (input !== undefined) used.add(input);
    const graphs = Object.entries(node.graphs).map(([name, inner]) => {
      for (const output of inner.outputs) used.add(output);
      return [name, { ...inner, draft: neededIn(inner.draft, used) }] as const;
    });
    nodes.push(graphs.length === 0 ? node : { ...node, graphs: Object.fromEntries(graphs) });
  }
  return { ...draft, nodes: nodes.reverse() };
}

/** The number of uses of each tensor, results of graphs included. */
export function useCounts(graph: InnerGraph): ReadonlyMap<Operand, number> {
  const counts = new Map<Operand, number>();
  const use = (operand: Operand): void => void counts.set(operand, (counts.get(operand) ?? 0) + 1);
  const count = ({ draft, outputs }: InnerGraph): void => {
    outputs.forEach(use);
    for (const node of draft.nodes) {
      for (const input of node.inputs) if (input !== undefined) use(input);
      Object.values(node.graphs).forEach(count);
    }
  };
  count(graph);
  return counts;
}
