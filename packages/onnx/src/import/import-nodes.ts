/** The nodes of a graph, with the nodes of the branches and functions that replace some of them. */
import type { Span } from '@baton/base';
import type { Expr } from '@baton/ir';
import { readNumber, shapeSize } from '@baton/tensor';
import {
  missingBranch,
  missingInput,
  nestedTooDeep,
  notConstant,
  tooManyCalls,
  wrongInputCount,
  wrongResultCount,
} from '../diagnostics.ts';
import { makeProblems } from '../problems.ts';
import type { AttributeProto, FunctionProto, GraphProto, NodeProto } from '../protobuf/messages.ts';
import {
  calledFunction,
  isChoice,
  nodesOf,
  operatorName,
  partOf,
  reportMissing,
  spanOfNode,
} from './coverage.ts';
import { type GraphValues, graphValues } from './graph-values.ts';
import { define, type GraphRun, importNode, lookUp, namesOf } from './import-node.ts';
import type { PlacedNode } from './needed.ts';

/** The deepest nesting of functions and branches. */
const MAX_NESTING = 100;

/** Heap of a node that is imported once more, in the place of a call. */
const COPY_HEAP_BYTES = 160;

/** Nodes in progress: of the graph, of a branch, or of a function. */
interface Frame {
  readonly run: GraphRun;
  readonly nodes: ReadonlyArray<PlacedNode>;
  /** The names of the results, and the node whose results they are. */
  readonly outputs: ReadonlyArray<string>;
  readonly of:
    | { readonly run: GraphRun; readonly node: NodeProto; readonly span: Span }
    | undefined;
  at: number;
}

/** Imports the nodes of a graph: their results become values of the run. */
export function importNodes(run: GraphRun, nodes: ReadonlyArray<PlacedNode>): void {
  const frames: Frame[] = [{ run, nodes, outputs: [], of: undefined, at: 0 }];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const placed = frame.nodes[frame.at++];
    if (placed === undefined) {
      frames.pop();
      finish(frame);
      continue;
    }
    const [index, given] = placed;
    const node = substituted(given, frame.run);
    const inner = isEntered(frame.run, node) ? entered(frame.run, node, index) : 'none';
    if (inner === 'none') importNode(frame.run, node, index);
    else if (inner === undefined) fail(frame.run, node);
    else if (frames.length >= MAX_NESTING) {
      run.problems.add(nestedTooDeep(MAX_NESTING, spanOfNode(node, index, run.source)));
      fail(frame.run, node);
    } else if (!run.state.budget.takeHeap(COPY_HEAP_BYTES * inner.nodes.length)) {
      run.problems.add(tooManyCalls(spanOfNode(node, index, run.source)));
      return;
    } else frames.push(inner);
  }
}

const isEntered = (run: GraphRun, node: NodeProto): boolean =>
  isChoice(node) || calledFunction(node, run.functions) !== undefined;

/** Gives the results of a branch or a function to the node that it replaces. */
function finish({ run, outputs, of }: Frame): void {
  if (of === undefined) return;
  const results = outputs.map((name) => lookUp(run, name, of.span));
  define(of.run, of.node, results.includes(undefined) ? undefined : results, of.span);
}

/** Marks the results of a node as failed; their users are not reported. */
const fail = (run: GraphRun, node: NodeProto): void =>
  node.outputs.forEach((name) => void run.failed.add(name));

/** The replacement of a node; `undefined` after reporting a failure. */
function entered(run: GraphRun, node: NodeProto, index: number): Frame | undefined {
  const span = spanOfNode(node, index, run.source);
  const called = calledFunction(node, run.functions);
  const frame = called === undefined ? branch(run, node, span) : body(run, node, called, span);
  if (frame === undefined) return undefined;
  if (frame.outputs.length >= node.outputs.length) return frame;
  const found = frame.outputs.length;
  run.problems.add(wrongResultCount(operatorName(node), node.outputs.length, found, span));
  return undefined;
}

/** The branch that a constant condition chooses. */
function branch(run: GraphRun, node: NodeProto, span: Span): Frame | undefined {
  const [name = ''] = node.inputs;
  const condition = name === '' ? undefined : lookUp(run, name, span);
  if (condition === undefined) {
    if (name === '') run.problems.add(missingInput(operatorName(node), 0, span));
    return undefined;
  }
  if (condition._tag !== 'Constant' || shapeSize(condition.data.shape) !== 1) {
    const input = condition._tag === 'Var' ? condition.nameHint : undefined;
    const message = 'expected a condition of If that is known at import';
    run.problems.add(notConstant(message, input, run.state.openDims, span));
    for (const { value } of node.attributes) {
      if (value.kind === 'graph') isCovered(run, nodesOf(value.value));
    }
    return undefined;
  }
  const which = readNumber(condition.data, 0) === 0 ? 'else_branch' : 'then_branch';
  const value = node.attributes.find((attribute) => attribute.name === which)?.value;
  if (value?.kind !== 'graph') {
    run.problems.add(missingBranch(which, span));
    return undefined;
  }
  const graph = value.value;
  const nodes = nodesOf(graph);
  if (!isCovered(run, nodes)) return undefined;
  const inner = { ...run, ...scope(graph), start: withinRun(run, graph, span) };
  const outputs = graph.outputs.map((output) => output.name);
  return { run: inner, nodes, outputs, of: { run, node, span }, at: 0 };
}

/** Whether the import has all operators of these nodes; reports the missing ones. */
function isCovered(run: GraphRun, nodes: ReadonlyArray<PlacedNode>): boolean {
  const problems = makeProblems();
  reportMissing(run, { nodes, versions: run.versions }, problems);
  const lacking = problems.all() ?? [];
  run.problems.add(...lacking);
  return lacking.length === 0;
}

/** The body of a function, with the inputs of the call. */
function body(run: GraphRun, node: NodeProto, f: FunctionProto, span: Span): Frame | undefined {
  if (node.inputs.length > f.inputs.length) {
    const bounds = [0, f.inputs.length] as const;
    run.problems.add(wrongInputCount(operatorName(node), bounds, node.inputs.length, span));
    return undefined;
  }
  const values = new Map<string, Expr>();
  const absent = new Set<string>();
  for (const [i, formal] of f.inputs.entries()) {
    const actual = node.inputs[i] ?? '';
    const value = actual === '' ? undefined : lookUp(run, actual, span);
    if (value !== undefined) values.set(formal, value);
    else if (actual === '') absent.add(formal);
    else return undefined;
  }
  const attributes = new Map<string, AttributeProto>();
  for (const attribute of [...f.defaults, ...node.attributes]) {
    attributes.set(attribute.name, attribute);
  }
  const { nodes, versions } = partOf(f, run.versions);
  const start: GraphValues = {
    params: [],
    openDims: [],
    has: (name) => values.has(name),
    get: (name) => values.get(name),
  };
  const own = namesOf(nodes, f.outputs);
  const maps = { values: new Map<string, Expr>(), failed: new Set<string>(), ...own };
  const inner = { ...run, ...maps, start, versions, call: { absent, attributes } };
  return { run: inner, nodes, outputs: f.outputs, of: { run, node, span }, at: 0 };
}

/** A node of a function as the call means it: without absent inputs, with the call's attributes. */
function substituted(node: NodeProto, { call }: GraphRun): NodeProto {
  if (call === undefined) return node;
  const attributes = node.attributes.flatMap((attribute) => {
    if (attribute.value.kind !== 'reference') return [attribute];
    const given = call.attributes.get(attribute.value.value);
    return given === undefined ? [] : [{ name: attribute.name, value: given.value }];
  });
  const inputs = node.inputs.map((name) => (call.absent.has(name) ? '' : name));
  return { ...node, inputs, attributes };
}

/** The empty tables of a branch. */
const scope = (graph: GraphProto) => ({
  values: new Map<string, Expr>(),
  failed: new Set<string>(),
  ...namesOf(
    nodesOf(graph),
    graph.outputs.map((output) => output.name),
  ),
});

/** The initial values of a branch: its own, and all of the surrounding graph's. */
function withinRun(run: GraphRun, graph: GraphProto, span: Span): GraphValues {
  const { options, weights } = run.state;
  const own = graphValues({ options, weights, source: run.source, problems: run.problems }, graph);
  return {
    params: [],
    openDims: [],
    has: (name) =>
      own.has(name) || run.values.has(name) || run.start.has(name) || run.failed.has(name),
    get: (name) => (own.has(name) ? own.get(name) : lookUp(run, name, span)),
  };
}
