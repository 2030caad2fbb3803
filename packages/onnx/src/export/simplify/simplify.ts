/** Steps that make a graph smaller: what Relay says with several calls, ONNX says with one node. */
import type { Operand } from '../../node/writer.ts';
import type { Draft, DraftNode, InnerGraph } from '../draft.ts';
import { needed, useCounts } from '../needed.ts';
import { batches } from './batches.ts';
import { biases } from './biases.ts';
import type { Step } from './step.ts';

/** The steps, in their order. */
const STEPS: ReadonlyArray<Step> = [batches, biases];

/** The graph after all steps, without nodes that nothing uses. */
export const simplified = (graph: InnerGraph): InnerGraph =>
  STEPS.reduce((before, step) => needed(stepped(before, step)), needed(graph));

/** The graph after one step at each node. Recursion is as deep as graphs nest. */
function stepped(graph: InnerGraph, step: Step): InnerGraph {
  const counts = useCounts(graph);
  const isUsedOnce = (operand: Operand): boolean => counts.get(operand) === 1;
  const within = (inner: InnerGraph): InnerGraph => ({ ...inner, draft: changed(inner.draft) });
  const changed = (draft: Draft): Draft => {
    const makers = new Map<Operand, DraftNode>();
    const maker = (operand: Operand): DraftNode | undefined => makers.get(operand);
    const nodes = draft.nodes.map((node) => {
      const made = step(node, { maker, isUsedOnce }) ?? node;
      for (const output of made.outputs) makers.set(output, made);
      const graphs = Object.entries(made.graphs).map(([name, inner]) => [name, within(inner)]);
      return graphs.length === 0 ? made : { ...made, graphs: Object.fromEntries(graphs) };
    });
    return { ...draft, nodes };
  };
  return within(graph);
}
