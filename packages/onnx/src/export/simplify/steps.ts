/** A step at one node of a graph, and at each. */
import { isStaticDim } from '@baton/ir';
import { shapeSize, toNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import type { DraftNode, GraphBuilder, InnerGraph } from '../graph-builder.ts';
import { isValid } from '../misfit.ts';
import { useCounts } from '../needed.ts';

/** What a step makes of a node; `undefined` where it does nothing. */
export type Step = (node: DraftNode, graph: Surroundings) => Made | undefined;

/** Nodes in place of a node, the last with its results; or the tensor that is its result. */
export type Made = ReadonlyArray<DraftNode> | Operand;

export interface Surroundings {
  /** The version of the operator set that is written. */
  readonly opset: number;
  /** The node that makes a tensor, if it stands before in the same graph. */
  readonly maker: (operand: Operand | undefined) => DraftNode | undefined;
  readonly uses: (operand: Operand) => number;
  readonly isUsedOnce: (operand: Operand) => boolean;
}

/** The sizes of a tensor, as far as they are known. */
export const sizesOf = ({ type }: Operand): ReadonlyArray<number | undefined> =>
  '_tag' in type.shape ? [] : type.shape.map((dim) => (isStaticDim(dim) ? dim : undefined));

/** The sizes of a tensor if all are known. */
export function knownSizes(operand: Operand | undefined): ReadonlyArray<number> | undefined {
  if (operand === undefined || '_tag' in operand.type.shape) return undefined;
  const sizes = sizesOf(operand).filter((size) => size !== undefined);
  return sizes.length === operand.type.shape.length ? sizes : undefined;
}

/** The most elements of a constant that a step looks at: axes, sizes, bounds and numbers are short. */
const MAX_NUMBERS = 1024;

/** The elements of a short constant. */
export const numbersOf = (operand: Operand | undefined): ReadonlyArray<number> | undefined =>
  operand?.constant && shapeSize(operand.constant.shape) <= MAX_NUMBERS
    ? Array.from(toNumbers(operand.constant))
    : undefined;

/** The value of an attribute that is a number. */
export function numberAttribute({ attributes }: DraftNode, name: string): number | undefined {
  const value = attributes[name];
  return value?.kind === 'int' || value?.kind === 'float' ? Number(value.value) : undefined;
}

/** The permutation of a transpose. */
export const permOf = ({ attributes: { perm } }: DraftNode): ReadonlyArray<number> | undefined =>
  perm?.kind === 'ints' ? perm.value.map(Number) : undefined;

/** The tensor that a node casts. */
export const sourceOfCast = ({ opType, inputs: [x] }: DraftNode): Operand | undefined =>
  opType === 'Cast' ? x : undefined;

/**
 * The graph after one step at each node; the same graph if the step does nothing. The step sees the nodes
 * before as they are by then, or `asGiven`: formulas within a formula then do not hide it. Recursion is as
 * deep as graphs nest.
 */
export function stepped(
  graph: InnerGraph,
  step: Step,
  opset: number,
  { asGiven = false }: { readonly asGiven?: boolean } = {},
): InnerGraph {
  const { standIns, present, replace, uses } = replacements(graph);
  const isUsedOnce = (operand: Operand): boolean => uses(operand) === 1;
  let results: ReadonlySet<Operand> | undefined;
  // A result keeps the node that makes it.
  const isResult = (operand: Operand): boolean => {
    results ??= new Set(resultsOf(graph));
    return results.has(operand);
  };
  const within = (inner: InnerGraph): InnerGraph => {
    const draft = changed(inner.draft);
    return draft === inner.draft ? inner : { ...inner, draft };
  };
  const changed = (draft: GraphBuilder): GraphBuilder => {
    const { maker, add } = makersSoFar();
    const surroundings: Surroundings = { opset, maker, uses, isUsedOnce };
    const made = (node: DraftNode): ReadonlyArray<DraftNode> => {
      const found = step(node, surroundings);
      if (found === undefined) return [node];
      if (!('_tag' in found)) return found.every((one) => isValid(one, opset)) ? found : [node];
      const [result] = node.outputs;
      if (result === undefined || isResult(result)) return [copying(node, found)];
      replace(result, found);
      return [];
    };
    const nodes: DraftNode[] = [];
    let isChanged = false;
    for (const given of draft.nodes) {
      const node = withinAll(standIns.size === 0 ? given : readingFrom(given, present));
      const all = made(node);
      isChanged ||= all.length !== 1 || all[0] !== given;
      for (const one of all) nodes.push(one);
      if (asGiven) add(node);
      else all.forEach(add);
    }
    return isChanged ? { ...draft, nodes } : draft;
  };
  const withinAll = (node: DraftNode): DraftNode => {
    const given = Object.entries(node.graphs);
    if (given.length === 0) return node;
    const graphs = given.map(([name, inner]) => [name, within(inner)] as const);
    const isSame = graphs.every(([, inner], i) => inner === given[i]?.[1]);
    return isSame ? node : { ...node, graphs: Object.fromEntries(graphs) };
  };
  return within(graph);
}

/** The nodes by their results, which are entered when one is asked for. */
function makersSoFar() {
  const known = new Map<Operand, DraftNode>();
  let waiting: DraftNode[] = [];
  const maker: Surroundings['maker'] = (operand) => {
    if (operand === undefined) return undefined;
    for (const node of waiting) for (const output of node.outputs) known.set(output, node);
    waiting = [];
    return known.get(operand);
  };
  return { maker, add: (node: DraftNode): void => void waiting.push(node) };
}

/** The tensors that stand for others, and the uses of all; they are counted when one is asked for. */
function replacements(graph: InnerGraph) {
  let known: Map<Operand, number> | undefined;
  const counts = (): Map<Operand, number> => {
    known ??= new Map(useCounts(graph));
    return known;
  };
  const uses = (operand: Operand): number => counts().get(operand) ?? 0;
  const standIns = new Map<Operand, Operand>();
  const present = (operand: Operand | undefined): Operand | undefined =>
    operand && (standIns.get(operand) ?? operand);
  const replace = (dropped: Operand, by: Operand): void => {
    standIns.set(dropped, by);
    counts().set(by, uses(by) - 1 + uses(dropped));
  };
  return { standIns, present, replace, uses };
}

/** The node with other inputs; the same node if they are the same. */
function readingFrom(
  node: DraftNode,
  present: (operand: Operand | undefined) => Operand | undefined,
): DraftNode {
  const isSame = node.inputs.every((input) => present(input) === input);
  return isSame ? node : { ...node, inputs: node.inputs.map(present) };
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
