/** The nodes of a graph, with the nodes of the graphs and functions that replace some of them. */
import type { Expr } from '@baton/ir';
import { nestedTooDeep, tooManyCalls, wrongInputCount } from '../diagnostics.ts';
import type { AttributeProto, FunctionProto, NodeProto } from '../protobuf/messages.ts';
import { CONTROL } from './control.ts';
import { calledFunction, controlOf, operatorName, partOf, spanOfNode } from './coverage.ts';
import { deliver, type Frame, type Site } from './frames.ts';
import type { GraphValues } from './graph-values.ts';
import { type GraphRun, importNode, lookUp, namesOf } from './import-node.ts';
import type { PlacedNode } from './needed.ts';
import { noteOrder } from './state.ts';
import { statedShapes } from './stated.ts';

/** The deepest nesting of functions and graphs. */
const MAX_NESTING = 100;

/** Heap of a node that is imported once more, in the place of a call. */
const COPY_HEAP_BYTES = 160;

/** Imports the nodes of a graph: their results become values of the run. */
export function importNodes(run: GraphRun, nodes: ReadonlyArray<PlacedNode>): void {
  const frames: Frame[] = [
    { run, nodes, outputs: [], span: undefined, next: () => undefined, at: 0 },
  ];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const placed = frame.nodes[frame.at++];
    if (placed === undefined) frames.pop();
    const next = placed === undefined ? finished(frame) : begun(frame.run, placed);
    if (next === undefined) continue;
    if (frames.length >= MAX_NESTING) {
      run.problems.add(nestedTooDeep(MAX_NESTING, next.span));
      for (let f: Frame | undefined = next; f !== undefined; f = f.next(undefined));
    } else if (!run.state.budget.takeHeap(COPY_HEAP_BYTES * (1 + next.nodes.length))) {
      run.problems.add(tooManyCalls(next.span));
      return;
    } else frames.push(next);
  }
}

/** What follows the last node of a frame: its results go to the node that it replaces. */
function finished({ run, outputs, span, next }: Frame): Frame | undefined {
  if (span === undefined) return undefined;
  const results = outputs.map((name) => lookUp(run, name, span));
  const known = results.filter((result) => result !== undefined);
  return next(known.length === results.length ? known : undefined);
}

/** Imports a node, or gives the frame of the nodes that it stands for. */
function begun(run: GraphRun, [index, given]: PlacedNode): Frame | undefined {
  const node = substituted(given, run);
  const span = spanOfNode(node, index, run.source);
  const control = controlOf(node);
  if (control !== undefined) return CONTROL[control]({ run, node, span });
  const called = calledFunction(node, run.functions);
  if (called !== undefined) return enterFunction({ run, node, span }, called);
  importNode(run, node, index);
  return undefined;
}

/** The body of a function, with the inputs of the call. */
function enterFunction(site: Site, f: FunctionProto): Frame | undefined {
  const { run, node, span } = site;
  if (node.inputs.length > f.inputs.length) {
    const bounds = [0, f.inputs.length] as const;
    run.problems.add(wrongInputCount(operatorName(node), bounds, node.inputs.length, span));
    return deliver(site, undefined);
  }
  const values = new Map<string, Expr>();
  const absent = new Set<string>();
  for (const [i, formal] of f.inputs.entries()) {
    const actual = node.inputs[i] ?? '';
    const value = actual === '' ? undefined : lookUp(run, actual, span);
    if (value !== undefined) values.set(formal, value);
    else if (actual === '') absent.add(formal);
    else return deliver(site, undefined);
  }
  const attributes = new Map<string, AttributeProto>();
  for (const attribute of [...f.defaults, ...node.attributes]) {
    attributes.set(attribute.name, attribute);
  }
  const { nodes, versions } = partOf(f, run.versions);
  const start: GraphValues = {
    params: [],
    openDims: [],
    absent: new Set(),
    has: (name) => values.has(name),
    get: (name) => values.get(name),
  };
  const own = { ...namesOf(nodes, f.outputs), stated: statedShapes(nodes, {}) };
  noteOrder(run.state, nodes, span);
  const maps = { values: new Map<string, Expr>(), failed: new Set<string>(), ...own };
  const inner = { ...run, ...maps, start, versions, call: { absent, attributes } };
  const next = (results: ReadonlyArray<Expr> | undefined): undefined => deliver(site, results);
  return { run: inner, nodes, outputs: f.outputs, span, next, at: 0 };
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
