/** What a model asks for that import does not have: all of it, before anything is imported. */
import { type Diagnostic, nodeSpan, type Span } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { missingOperator, shown, unsupportedOperator, unsupportedOpset } from '../diagnostics.ts';
import type { GraphProto, ModelProto, NodeProto } from '../protobuf/messages.ts';
import type { OnnxOperator } from './operator.ts';

/** The latest version of ONNX's own operator set that the operators here were written for. */
export const LATEST_OPSET = 25;

/** The operators that can be imported, by domain and name. */
export type OperatorIndex = ReadonlyMap<string, OnnxOperator>;

/** The key of an operator in an {@link OperatorIndex}. */
export const operatorKey = (domain: string, opType: string): string =>
  `${domain === 'ai.onnx' ? '' : domain}\n${opType}`;

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

/** Everything that is lacking: each operator once, with its number of nodes and the first. */
export function missing(
  model: ModelProto,
  graph: GraphProto,
  operators: OperatorIndex,
  ops: OpTable,
  source: string,
): ReadonlyArray<Diagnostic> {
  const versions = opsetVersions(model);
  const opset = versions.get('');
  const lacks = new Map<string, Lack>();
  graph.nodes.forEach((node, index) => {
    const key = operatorKey(node.domain, node.opType);
    const known = lacks.get(key);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const reason = lackOf(node, operators.get(key), opset ?? LATEST_OPSET, ops, model);
    if (reason !== undefined) {
      lacks.set(key, { count: 1, span: spanOfNode(node, index, source), reason });
    }
  });
  const known = opset === undefined || (opset >= 1 && opset <= LATEST_OPSET);
  const named = opset !== undefined || !graph.nodes.some((node) => isOwnDomain(node.domain));
  const graphSpan = nodeSpan(source, graph.name, 'GraphProto');
  return [
    ...(known && named ? [] : [unsupportedOpset('', opset, LATEST_OPSET, graphSpan)]),
    ...[...lacks.values()].map((lack) => lack.reason(lack.count, lack.span)),
  ];
}

interface Lack {
  count: number;
  readonly span: Span;
  readonly reason: (count: number, span: Span) => Diagnostic;
}

const isOwnDomain = (domain: string): boolean => domain === '' || domain === 'ai.onnx';

function lackOf(
  node: NodeProto,
  operator: OnnxOperator | undefined,
  opset: number,
  ops: OpTable,
  model: ModelProto,
): Lack['reason'] | undefined {
  const name = operatorName(node);
  if (operator === undefined) {
    const isFunction = model.functions.some(
      (f) => f.name === node.opType && f.domain === node.domain,
    );
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
