/** A step at each node of a graph. */
import type { Operand } from '../../node/writer.ts';
import type { Draft, DraftNode, InnerGraph } from '../draft.ts';
import { useCounts } from '../needed.ts';
import { isValid } from '../schemas.ts';
import type { Step, Surroundings } from './step.ts';

/**
 * The graph after one step at each node. The step sees the nodes before as they are by then, or `asGiven`:
 * formulas within a formula then do not hide it. Recursion is as deep as graphs nest.
 */
export function stepped(
  graph: InnerGraph,
  step: Step,
  opset: number,
  { asGiven = false }: { readonly asGiven?: boolean } = {},
): InnerGraph {
  const counts = new Map(useCounts(graph));
  const uses = (operand: Operand): number => counts.get(operand) ?? 0;
  const isUsedOnce = (operand: Operand): boolean => uses(operand) === 1;
  const standIns = new Map<Operand, Operand>();
  const present = (operand: Operand | undefined): Operand | undefined =>
    operand && (standIns.get(operand) ?? operand);
  const replace = (dropped: Operand, by: Operand): void => {
    standIns.set(dropped, by);
    counts.set(by, uses(by) - 1 + uses(dropped));
  };
  // A result keeps the node that makes it.
  const results = new Set(resultsOf(graph));
  const within = (inner: InnerGraph): InnerGraph => ({ ...inner, draft: changed(inner.draft) });
  const changed = (draft: Draft): Draft => {
    const makers = new Map<Operand, DraftNode>();
    const maker: Surroundings['maker'] = (operand) => operand && makers.get(operand);
    const nodes = draft.nodes.flatMap((given) => {
      const node = withinAll({ ...given, inputs: given.inputs.map(present) });
      const found = step(node, { opset, maker, uses, isUsedOnce }) ?? [node];
      const fits = '_tag' in found || found.every((one) => isValid(one, opset));
      const made = fits ? found : [node];
      const [result] = node.outputs;
      if ('_tag' in made && result !== undefined && !results.has(result)) {
        replace(result, made);
        return [];
      }
      const nodes = '_tag' in made ? [copying(node, made)] : made;
      for (const one of asGiven ? [node] : nodes)
        for (const output of one.outputs) makers.set(output, one);
      return nodes;
    });
    return { ...draft, nodes };
  };
  const withinAll = (node: DraftNode): DraftNode => {
    const graphs = Object.entries(node.graphs).map(([name, inner]) => [name, within(inner)]);
    return graphs.length === 0 ? node : { ...node, graphs: Object.fromEntries(graphs) };
  };
  return within(graph);
}

/** The node that makes its result as a copy. */
const copying = (node: DraftNode, source: Operand): DraftNode => ({
  ...node,
  opType: 'Identity',
  inputs: [source],
  attributes: {},
});

/** The results of a graph and of those within. Recursion is as deep as graphs nest. */
const resultsOf = ({ draft, outputs }: InnerGraph): ReadonlyArray<Operand> => [
  ...outputs,
  ...draft.nodes.flatMap(({ graphs }) => Object.values(graphs).flatMap(resultsOf)),
];
