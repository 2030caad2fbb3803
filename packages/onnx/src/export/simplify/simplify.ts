/** Steps that make a graph smaller: what Relay says with several calls, ONNX says with one node. */
import type { Operand } from '../../node/writer.ts';
import type { Draft, DraftNode, InnerGraph } from '../draft.ts';
import { needed, useCounts } from '../needed.ts';
import { isValid } from '../schemas.ts';
import { batches } from './batches.ts';
import { biases } from './biases.ts';
import { blocks } from './blocks.ts';
import { casts } from './casts.ts';
import { concats } from './concats.ts';
import { halves } from './halves.ts';
import { BASIC, idioms, LARGER } from './idioms.ts';
import { shapes } from './shapes.ts';
import { sinking } from './sinking.ts';
import { slices } from './slices.ts';
import type { Step, Surroundings } from './step.ts';
import { transposes } from './transposes.ts';
import { views } from './views.ts';

/** The steps, in their order. */
const STEPS: ReadonlyArray<Step> = [
  batches,
  casts,
  transposes,
  views,
  idioms(BASIC),
  idioms(LARGER),
  halves,
  sinking,
  biases,
  views,
  slices,
  shapes,
  blocks,
  concats,
];

/** The graph after all steps, without nodes that nothing uses. */
export const simplified = (graph: InnerGraph, opset: number): InnerGraph => {
  const all = STEPS.reduce((before, step) => needed(stepped(before, step, opset)), needed(graph));
  return needed(uncopied(all));
};

/** The graph after one step at each node. Recursion is as deep as graphs nest. */
function stepped(graph: InnerGraph, step: Step, opset: number): InnerGraph {
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
      for (const one of nodes) for (const output of one.outputs) makers.set(output, one);
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

/** The graph with results in place of their copies. Recursion is as deep as graphs nest. */
function uncopied({ draft, outputs }: InnerGraph): InnerGraph {
  const nodes = draft.nodes.map((node) => {
    const graphs = Object.entries(node.graphs).map(([name, inner]) => [name, uncopied(inner)]);
    return graphs.length === 0 ? node : { ...node, graphs: Object.fromEntries(graphs) };
  });
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((result) => [result, node])));
  const taken = new Set(outputs);
  const direct = (output: Operand): Operand => {
    const made = makers.get(output);
    const [source] = made?.opType === 'Identity' ? made.inputs : [];
    if (source === undefined || !makers.has(source) || taken.has(source)) return output;
    taken.add(source);
    return source;
  };
  return { draft: { ...draft, nodes }, outputs: outputs.map(direct) };
}

/** The results of a graph and of those within. Recursion is as deep as graphs nest. */
const resultsOf = ({ draft, outputs }: InnerGraph): ReadonlyArray<Operand> => [
  ...outputs,
  ...draft.nodes.flatMap(({ graphs }) => Object.values(graphs).flatMap(resultsOf)),
];
