/** What a model asks for that import does not have: all of it, before anything is imported. */
import { type Diagnostic, nodeSpan, type Span } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { missingOperator, shown, unsupportedOperator, unsupportedOpset } from '../diagnostics.ts';
import { onnxOperators } from '../operators/index.ts';
import type { GraphProto, ModelProto, NodeProto } from '../protobuf/messages.ts';
import { type OnnxOperator, operatorKey } from './operator.ts';
import type { Problems } from './problems.ts';

/** The latest version of ONNX's own operator set that the operators here were written for. */
export const LATEST_OPSET = 28;

/** The operator of a node as diagnostics name it. */
export const operatorName = (node: NodeProto): string =>
  isOwnDomain(node.domain) ? shown(node.opType) : `${shown(node.domain)}::${shown(node.opType)}`;

/** The span of a node: its name, or its place in the graph where it has none. */
export const spanOfNode = (node: NodeProto, index: number, source: string): Span =>
  nodeSpan(source, node.name === '' ? `#${index}` : node.name, node.opType);

/** The version of each operator set that the model names. */
export const opsetVersions = (model: ModelProto): ReadonlyMap<string, number> =>
  new Map(model.opsetImports.map(({ domain, version }) => [domain, version]));

/** The last version at which the operator changed, up to that of the model's operator set. */
export const sinceVersion = (operator: OnnxOperator, opset: number): number | undefined =>
  operator.versions.findLast((version) => version <= opset);

/** Reports everything that is lacking: each operator once, with its number of nodes and the first. */
export function reportMissing(
  model: ModelProto,
  graph: GraphProto,
  ops: OpTable,
  source: string,
  problems: Problems,
): void {
  const opset = opsetVersions(model).get('');
  const isNeeded = graph.nodes.some((node) => isOwnDomain(node.domain));
  const isKnown = opset === undefined ? !isNeeded : opset >= 1 && opset <= LATEST_OPSET;
  const graphSpan = nodeSpan(source, graph.name, 'GraphProto');
  if (!isKnown) problems.add(unsupportedOpset('', opset, LATEST_OPSET, graphSpan));
  const functions = new Set(model.functions.map((f) => operatorKey(f.domain, f.name)));
  // `undefined`: nothing is lacking.
  const seen = new Map<string, Lack | undefined>();
  graph.nodes.forEach((node, index) => {
    const key = operatorKey(node.domain, node.opType);
    const known = seen.get(key);
    if (known !== undefined) known.count++;
    if (seen.has(key)) return;
    const reason = lackOf(node, opset ?? LATEST_OPSET, ops, functions);
    const span = spanOfNode(node, index, source);
    seen.set(key, reason === undefined ? undefined : { count: 1, span, reason });
  });
  for (const lack of seen.values()) {
    if (lack !== undefined) problems.add(lack.reason(lack.count, lack.span));
  }
}

interface Lack {
  count: number;
  readonly span: Span;
  readonly reason: (count: number, span: Span) => Diagnostic;
}

const isOwnDomain = (domain: string): boolean => domain === '' || domain === 'ai.onnx';

function lackOf(
  node: NodeProto,
  opset: number,
  ops: OpTable,
  functions: ReadonlySet<string>,
): Lack['reason'] | undefined {
  const name = operatorName(node);
  const key = operatorKey(node.domain, node.opType);
  const operator = onnxOperators.get(key);
  if (operator === undefined) {
    const isFunction = functions.has(key);
    const what = isFunction ? `a call of function ${name}` : `operator ${name}`;
    return (count, span) => unsupportedOperator(what, count, span);
  }
  if (sinceVersion(operator, opset) === undefined) {
    const hint = `it is imported from operator set ${operator.versions[0]} on`;
    return (count, span) =>
      unsupportedOperator(`operator ${name} of operator set ${opset}`, count, span, hint);
  }
  const needs = operator.needs.filter((need) => ops.get(need) === undefined);
  if (needs.length === 0) return undefined;
  return (count, span) => missingOperator(`operator ${name}`, needs, count, span);
}
