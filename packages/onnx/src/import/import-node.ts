/** One node of a graph: its inputs looked up, its operator asked, its results named. */
import { type Diagnostic, invariant, type Span } from '@baton/base';
import type { Expr } from '@baton/ir';
import {
  duplicateName,
  missingInput,
  undefinedValue,
  unsupportedResult,
  usedBeforeDefined,
  wrongInputCount,
} from '../diagnostics.ts';
import type { NodeProto } from '../protobuf/messages.ts';
import { checkAttributes } from './attributes.ts';
import { type ImportState, nodeContext } from './context.ts';
import {
  LATEST_OPSET,
  type OperatorIndex,
  operatorKey,
  operatorName,
  sinceVersion,
  spanOfNode,
} from './coverage.ts';
import type { GraphValues } from './graph-values.ts';
import type { Converted, OnnxOperator } from './operator.ts';

/** After this many diagnostics the rest are counted, not listed. */
export const MAX_DIAGNOSTICS = 100;

/** The import of one graph, under way. */
export interface GraphRun {
  readonly state: ImportState;
  readonly start: GraphValues;
  readonly source: string;
  readonly operators: OperatorIndex;
  /** The version of each operator set. */
  readonly versions: ReadonlyMap<string, number>;
  /** The results of the nodes so far. */
  readonly values: Map<string, Expr>;
  /** Names whose values could not be made: what uses them is not worth a report of its own. */
  readonly failed: Set<string>;
  readonly produced: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
  readonly problems: Diagnostic[];
  /** How many there are, listed or not. */
  problemCount: number;
}

/** Adds to the problems of a run. */
export function report(run: GraphRun, problems: ReadonlyArray<Diagnostic>): void {
  run.problemCount += problems.length;
  run.problems.push(...problems.slice(0, MAX_DIAGNOSTICS - run.problems.length));
}

/**
 * Imports a node: its results are then values of the run, or failed names if it has problems, all
 * of which are reported. A node that uses a failed name is passed over.
 */
export function importNode(run: GraphRun, node: NodeProto, index: number): void {
  const operator = run.operators.get(operatorKey(node.domain, node.opType));
  invariant(operator !== undefined, 'operators that import lacks are reported before it begins');
  const span = spanOfNode(node, index, run.source);
  const results = convertNode(run, node, operator, span);
  node.outputs.forEach((name, position) => {
    if (name === '') return;
    if (run.values.has(name) || run.start.has(name)) report(run, [duplicateName(name, span)]);
    const value = results?.[position];
    if (value !== undefined) run.values.set(name, value);
    else run.failed.add(name);
    if (results !== undefined && value === undefined && run.used.has(name)) {
      report(run, [unsupportedResult(name, position, operatorName(node), span)]);
    }
  });
}

function convertNode(
  run: GraphRun,
  node: NodeProto,
  operator: OnnxOperator,
  span: Span,
): ReadonlyArray<Expr> | undefined {
  const faults = [...checkAttributes(node, operator.attributes, span)];
  const [least, most] = operator.inputs;
  const inputs = presentInputs(node.inputs);
  if (inputs.length < least || inputs.length > most) {
    faults.push(wrongInputCount(operatorName(node), operator.inputs, inputs.length, span));
  }
  const absent = inputs.slice(0, least).indexOf('');
  if (absent >= 0) faults.push(missingInput(operatorName(node), absent, span));
  report(run, faults);
  const values = inputs.map((name) => (name === '' ? undefined : lookUp(run, name, span)));
  if (faults.length > 0 || inputs.some((name, i) => name !== '' && values[i] === undefined)) {
    return undefined;
  }
  const version = sinceVersion(operator, opsetOf(run, operator));
  invariant(version !== undefined, 'versions that import lacks are reported before it begins');
  const isUsed = (name: string): boolean => name !== '' && run.used.has(name);
  const parts = { node, span, version, inputs: values, isUsed };
  const { context, problems } = nodeContext(run.state, parts);
  const converted = listed(operator.convert(context));
  report(run, problems);
  if (problems.length > 0) return undefined;
  invariant(converted !== undefined, `a conversion without result says why: ${operator.opType}`);
  return converted;
}

const opsetOf = (run: GraphRun, operator: OnnxOperator): number =>
  run.versions.get(operator.domain) ?? LATEST_OPSET;

const listed = (converted: Converted): ReadonlyArray<Expr> | undefined =>
  converted === undefined || !('_tag' in converted) ? converted : [converted];

/** The inputs without the absent ones at the end, which mean nothing. */
function presentInputs(inputs: ReadonlyArray<string>): ReadonlyArray<string> {
  let length = inputs.length;
  while (length > 0 && inputs[length - 1] === '') length--;
  return length === inputs.length ? inputs : inputs.slice(0, length);
}

/** The value of this name; `undefined` after reporting why there is none. */
export function lookUp(run: GraphRun, name: string, span: Span): Expr | undefined {
  const value = run.values.get(name);
  if (value !== undefined || run.failed.has(name)) return value;
  const problems: Diagnostic[] = [];
  const start = run.start.get(name, problems);
  if (start !== undefined) return start;
  // From now on the name counts as failed, so that each problem is told once.
  run.failed.add(name);
  if (problems.length === 0 && !run.start.has(name)) {
    problems.push(
      run.produced.has(name) ? usedBeforeDefined(name, span) : undefinedValue(name, span),
    );
  }
  report(run, problems);
  return undefined;
}
