/** One node of a graph: looks up its inputs, calls its operator, names its results. */
import { invariant, isLeft, type Span } from '@baton/base';
import type { Expr } from '@baton/ir';
import { onnxImporters } from '../catalogue.ts';
import {
  duplicateName,
  missingInput,
  undefinedValue,
  unsupportedResult,
  usedBeforeDefined,
  wrongInputCount,
} from '../diagnostics.ts';
import { checkAttributes } from '../operator-api/attributes.ts';
import { type Converted, type OnnxImporter, operatorKey } from '../operator-api/importer.ts';
import type { Problems } from '../problems.ts';
import type { AttributeProto, NodeProto } from '../protobuf/messages.ts';
import { goesOn, withinRoom } from '../room.ts';
import { factsOf } from '../schemas/schemas.ts';
import { type NodeParts, nodeContext } from './context.ts';
import {
  LATEST_OPSET,
  operatorName,
  type Searched,
  sinceVersion,
  spanOfNode,
  type Versions,
} from './coverage.ts';
import type { GraphValues } from './graph-values.ts';
import { openKernel } from './kernel.ts';
import { type PlacedNode, usedNames } from './needed.ts';
import type { ImportState } from './state.ts';
import type { StatedShapes } from './stated.ts';

/** The state of the import of one graph. */
export interface GraphRun extends Searched {
  readonly state: ImportState;
  readonly start: GraphValues;
  /** The version of each operator set. */
  readonly versions: Versions;
  /** The results of the nodes so far. */
  readonly values: Map<string, Expr>;
  /** Names whose values could not be made: their users are not reported. */
  readonly failed: Set<string>;
  readonly produced: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
  readonly stated: StatedShapes;
  readonly problems: Problems;
  /** The call of the function that contains these nodes, if there is one. */
  readonly call?: {
    /** Inputs of the function that the call leaves out. */
    readonly absent: ReadonlySet<string>;
    readonly attributes: ReadonlyMap<string, AttributeProto>;
  };
}

/**
 * Imports a node: its results become values of the run, or failed names after problems, all of
 * which are reported. A node that uses a failed name is skipped.
 */
export function importNode(run: GraphRun, node: NodeProto, index: number): void {
  const operator = onnxImporters.get(operatorKey(node.domain, node.opType));
  invariant(operator !== undefined, 'operators that import lacks are reported before it begins');
  const span = spanOfNode(node, index, run.source);
  define(run, node, convertNode(run, node, operator, span), span);
}

/** Gives the results of a node their names; `undefined` marks the results of a failed node. */
export function define(
  run: GraphRun,
  node: NodeProto,
  results: ReadonlyArray<Expr | undefined> | undefined,
  span: Span,
): void {
  node.outputs.forEach((name, position) => {
    if (name === '') return;
    if (run.values.has(name) || run.start.has(name)) run.problems.add(duplicateName(name, span));
    const value = results?.[position];
    if (value !== undefined) run.values.set(name, value);
    else run.failed.add(name);
    if (results !== undefined && value === undefined && run.used.has(name)) {
      run.problems.add(unsupportedResult(name, position, operatorName(node), span));
    }
  });
}

function convertNode(
  run: GraphRun,
  node: NodeProto,
  operator: OnnxImporter,
  span: Span,
): ReadonlyArray<Expr> | undefined {
  const facts = factsOf(operator);
  const faults = [...checkAttributes(node, facts.attributes, span)];
  const [least, most] = facts.inputs;
  const inputs = presentInputs(node.inputs);
  if (inputs.length < least || inputs.length > most) {
    faults.push(wrongInputCount(operatorName(node), facts.inputs, inputs.length, span));
  }
  const absent = inputs.slice(0, least).findIndex((name, i) => name === '' && !facts.gaps.has(i));
  if (absent >= 0) faults.push(missingInput(operatorName(node), absent, span));
  run.problems.add(...faults);
  const values = inputs.map((name) => (name === '' ? undefined : lookUp(run, name, span)));
  if (faults.length > 0 || inputs.some((name, i) => name !== '' && values[i] === undefined)) {
    return undefined;
  }
  const version = sinceVersion(operator, opsetOf(run, operator));
  invariant(version !== undefined, 'versions that import lacks are reported before it begins');
  return converted(run, { node, operator, version, inputs: values, span });
}

/** A node, its operator, and what its inputs are. */
interface Given extends Pick<NodeParts, 'node' | 'version' | 'inputs' | 'span'> {
  readonly operator: OnnxImporter;
}

function converted(run: GraphRun, given: Given): ReadonlyArray<Expr> | undefined {
  const { node, operator, inputs, span } = given;
  const isUsed = (name: string): boolean => name !== '' && run.used.has(name);
  const parts = { ...given, isUsed, stated: run.stated };
  const { kernelSince, kernelWhen, kernelReads = [], laterNode } = operator;
  const later = laterNode?.(nodeContext(run.state, parts).context);
  if (later !== undefined) {
    const { opType, attributes } = later;
    const found = onnxImporters.get(operatorKey('', opType));
    invariant(found !== undefined, `an operator that stands for an early one is read: ${opType}`);
    const version = factsOf(found).versions.at(-1) ?? LATEST_OPSET;
    const said = { operator: found, version, inputs: later.inputs };
    return converted(run, { ...given, ...said, node: { ...node, opType, attributes } });
  }
  const isWhole =
    kernelSince !== undefined && kernelWhen?.(nodeContext(run.state, parts).context) !== false;
  const kernel = isWhole
    ? openKernel(run.state, node, inputs, { span, isUsed, reads: kernelReads })
    : undefined;
  const seen = { ...parts, inputs: kernel?.inputs ?? inputs };
  const { context, problems } = nodeContext(run.state, seen);
  goesOn(run.state.room, 'the import', span);
  const made = withinRoom(() => listed(operator.convert(context)), span);
  run.problems.add(...problems, ...(isLeft(made) ? made.left : []));
  if (problems.length > 0 || isLeft(made)) return undefined;
  const results = made.right;
  invariant(results !== undefined, `a conversion without result says why: ${operator.opType}`);
  return kernel === undefined ? results : kernel.close(results);
}

const opsetOf = (run: GraphRun, operator: OnnxImporter): number =>
  run.versions.get(operator.domain ?? '') ?? LATEST_OPSET;

const listed = (converted: Converted): ReadonlyArray<Expr> | undefined =>
  converted === undefined || !('_tag' in converted) ? converted : [converted];

/** The inputs without absent ones at the end, which mean nothing. */
function presentInputs(inputs: ReadonlyArray<string>): ReadonlyArray<string> {
  let length = inputs.length;
  while (length > 0 && inputs[length - 1] === '') length--;
  return length === inputs.length ? inputs : inputs.slice(0, length);
}

/** The value of this name; `undefined` after reporting a failure. */
export function lookUp(run: GraphRun, name: string, span: Span): Expr | undefined {
  const value = run.values.get(name);
  if (value !== undefined || run.failed.has(name)) return value;
  const start = run.start.get(name);
  if (start !== undefined) return start;
  // The name counts as failed from now on, so that each problem is reported once.
  run.failed.add(name);
  if (!run.start.has(name)) {
    const isLater = run.produced.has(name);
    run.problems.add(isLater ? usedBeforeDefined(name, span) : undefinedValue(name, span));
  }
  return undefined;
}

/** The names of all results of nodes, and of all values that something uses. */
export function namesOf(
  nodes: ReadonlyArray<PlacedNode>,
  outputs: ReadonlyArray<string>,
): { readonly produced: ReadonlySet<string>; readonly used: ReadonlySet<string> } {
  const produced = new Set<string>();
  const used = new Set<string>(outputs);
  for (const [, node] of nodes) {
    for (const name of node.outputs) produced.add(name);
    for (const name of usedNames(node)) used.add(name);
  }
  return { produced, used };
}
