/** Nodes in progress: of the graph, of a graph inside a node, or of a function of the model. */
import { isLeft, type Span } from '@baton/base';
import {
  anyDim,
  dimsEqual,
  type Expr,
  type Type,
  tensorType,
  tupleType,
  typeEqual,
} from '@baton/ir';
import { missingGraph, wrongResultCount } from '../diagnostics.ts';
import { makeProblems } from '../problems.ts';
import type { GraphProto, NodeProto } from '../protobuf/messages.ts';
import { withinRoom } from '../room.ts';
import { nodeContext } from './context.ts';
import { nodesOf, operatorName, reportMissing } from './coverage.ts';
import { type GraphValues, graphValues } from './graph-values.ts';
import { define, type GraphRun, lookUp, namesOf } from './import-node.ts';
import type { PlacedNode } from './needed.ts';
import { noteOrder } from './state.ts';
import { statedShapes } from './stated.ts';

/** A list of nodes, and what follows the last. */
export interface Frame {
  readonly run: GraphRun;
  readonly nodes: ReadonlyArray<PlacedNode>;
  readonly outputs: ReadonlyArray<string>;
  /** The node that the nodes stand for; the model's own graph stands for none. */
  readonly span: Span | undefined;
  /** Takes the results, `undefined` after a failure; gives the next frame of the same node. */
  readonly next: (results: Results) => Frame | undefined;
  at: number;
}

/** The results of nodes; `undefined` after reporting a failure. */
export type Results = ReadonlyArray<Expr> | undefined;

/** A node that other nodes replace, or that contains graphs. */
export interface Site {
  readonly run: GraphRun;
  readonly node: NodeProto;
  readonly span: Span;
}

/** Gives the node its results, after which nothing of it remains to be imported. */
export function deliver({ run, node, span }: Site, results: Results): undefined {
  if (results === undefined) for (const name of node.outputs) run.failed.add(name);
  else if (results.length >= node.outputs.length) define(run, node, results, span);
  else {
    const expected = node.outputs.length;
    run.problems.add(wrongResultCount(operatorName(node), expected, results.length, span));
    deliver({ run, node, span }, undefined);
  }
}

/** The graph in an attribute of the node, with operators that the import has. */
export function graphOf({ run, node, span }: Site, name: string): GraphProto | undefined {
  const value = node.attributes.find((attribute) => attribute.name === name)?.value;
  if (value?.kind !== 'graph') {
    run.problems.add(missingGraph(name, span));
    return undefined;
  }
  const problems = makeProblems();
  reportMissing(run, { nodes: nodesOf(value.value), versions: run.versions }, problems);
  const lacking = problems.all();
  run.problems.add(...(lacking ?? []));
  return lacking === undefined ? value.value : undefined;
}

/** The values of the node's inputs, absent ones among them. */
export function inputsOf({ run, node, span }: Site): ReadonlyArray<Expr | undefined> | undefined {
  const values = node.inputs.map((name) => (name === '' ? undefined : lookUp(run, name, span)));
  const failed = values.some((value, i) => value === undefined && node.inputs[i] !== '');
  return failed ? undefined : values;
}

/** The results of a graph inside a node. It sees its own inputs, and all values around it. */
export function graphFrame(
  site: Site,
  graph: GraphProto,
  inputs: ReadonlyArray<Expr>,
  next: Frame['next'],
  outer: (name: string) => Expr | undefined = (name) => lookUp(site.run, name, site.span),
): Frame {
  const nodes = nodesOf(graph);
  const outputs = graph.outputs.map((output) => output.name);
  const tables = { values: new Map<string, Expr>(), failed: new Set<string>() };
  const start = valuesWithin(site, graph, inputs, outer);
  const stated = statedShapes(nodes, graph);
  const run = { ...site.run, ...tables, ...namesOf(nodes, outputs), start, stated };
  noteOrder(run.state, nodes, site.span);
  return { run, nodes, outputs, span: site.span, next, at: 0 };
}

/** The initial values of a graph inside a node: its own, and all of the surrounding graph's. */
function valuesWithin(
  { run }: Site,
  graph: GraphProto,
  inputs: ReadonlyArray<Expr>,
  outer: (name: string) => Expr | undefined,
): GraphValues {
  const { options, weights } = run.state;
  const { source, problems } = run;
  const parts = { options, weights, source, problems, defaults: new Set<string>() };
  const own = graphValues(parts, { ...graph, inputs: [] });
  const given = new Map(graph.inputs.flatMap(({ name }, i) => withValue(name, inputs[i])));
  return {
    params: [],
    openDims: [],
    absent: new Set(),
    has: (name) =>
      given.has(name) ||
      own.has(name) ||
      run.values.has(name) ||
      run.start.has(name) ||
      run.failed.has(name),
    get: (name) => given.get(name) ?? (own.has(name) ? own.get(name) : outer(name)),
  };
}

const withValue = (name: string, value: Expr | undefined): Array<readonly [string, Expr]> =>
  value === undefined ? [] : [[name, value]];

/** The tools of an operator for a node that contains graphs; its failures are reported at once. */
export function toolsOf({ run, node, span }: Site, inputs: ReadonlyArray<Expr | undefined>) {
  const isUsed = (name: string): boolean => name !== '' && run.used.has(name);
  const { stated } = run;
  const parts = { node, span, version: 1, inputs, isUsed, stated };
  const { context, problems } = nodeContext(run.state, parts);
  return {
    context,
    /** What `made` makes; `undefined` after reporting its failures. */
    checked: <A>(made: () => A): A | undefined => {
      const before = problems.length;
      const result = withinRoom(made, span);
      run.problems.add(...problems.slice(before), ...(isLeft(result) ? result.left : []));
      return problems.length > before || isLeft(result) ? undefined : result.right;
    },
  };
}

/** The type of values of either type: sizes that differ become unknown; `undefined` for no type. */
export function joined(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (a === undefined || b === undefined || typeEqual(a, b)) return a;
  if (a._tag === 'TupleType' && b._tag === 'TupleType' && a.fields.length === b.fields.length) {
    const fields = a.fields.map((field, i) => joinedTensors(field, b.fields[i]));
    const known = fields.filter((field) => field !== undefined);
    return known.length === fields.length ? tupleType(known) : undefined;
  }
  return joinedTensors(a, b);
}

function joinedTensors(a: Type, b: Type | undefined): Type | undefined {
  if (a._tag !== 'TensorType' || b?._tag !== 'TensorType' || a.dtype !== b.dtype) return undefined;
  const [left, right] = [a.shape, b.shape];
  if ('_tag' in left || '_tag' in right || left.length !== right.length) return undefined;
  const dims = left.map((dim, axis) => (dimsEqual(dim, right[axis] ?? anyDim) ? dim : anyDim));
  return tensorType(dims, a.dtype);
}
