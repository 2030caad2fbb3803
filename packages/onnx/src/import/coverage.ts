/** The features of a model that the import lacks, all found before anything is imported. */
import { type Diagnostic, type Diagnostics, isLeft, nodeSpan, type Span } from '@baton/base';
import { onnxImporters } from '../catalogue.ts';
import { type DecodeOptions, decodeOpsets, decodeOutline } from '../decode-model.ts';
import { shown, unsupportedOperator, unsupportedOpset } from '../diagnostics.ts';
import { type OnnxImporter, operatorKey } from '../operator-api/importer.ts';
import { makeProblems, type Problems } from '../problems.ts';
import type {
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OperatorSetIdProto,
} from '../protobuf/messages.ts';
import { factsOf } from '../schemas/schemas.ts';
import { graphsOf, neededNodes, type PlacedNode } from './needed.ts';

/** The latest version of ONNX's own operator set that the operators here support. */
export const LATEST_OPSET = 28;

/** The name of a node's operator in diagnostics. */
export const operatorName = (node: NodeProto): string =>
  isOwnDomain(node.domain) ? shown(node.opType) : `${shown(node.domain)}::${shown(node.opType)}`;

/** The span of a node: its name, or else its place in the graph. */
export const spanOfNode = (node: NodeProto, index: number, source: string): Span =>
  nodeSpan(source, node.name === '' ? `#${index}` : node.name, node.opType);

/** The version of each operator set. */
export type Versions = ReadonlyMap<string, number>;

/** The operator set versions of a model or a function. */
export const opsetVersions = (imports: ReadonlyArray<OperatorSetIdProto>): Versions =>
  new Map(imports.map(({ domain, version }) => [domain, version]));

/** The last version at which the operator changed, up to the model's operator set. */
export const sinceVersion = (operator: OnnxImporter, opset: number): number | undefined =>
  factsOf(operator).versions.findLast((version) => version <= opset);

/** The functions of a model, by the names in calls. */
type Functions = ReadonlyMap<string, FunctionProto>;

/** The functions of a model. */
export const functionsOf = (model: ModelProto): Functions =>
  new Map(model.functions.map((f) => [functionKey(f.domain, f.name, f.overload), f]));

/** The function that a node calls, if any: a known operator takes precedence. */
export const calledFunction = (node: NodeProto, functions: Functions): FunctionProto | undefined =>
  onnxImporters.has(operatorKey(node.domain, node.opType))
    ? undefined
    : functions.get(functionKey(node.domain, node.opType, node.overload));

const functionKey = (domain: string, name: string, overload: string): string =>
  `${operatorKey(domain, name)}\n${overload}`;

/** The operators that contain graphs. */
export type ControlName = 'If' | 'Loop' | 'Scan' | 'SequenceMap' | 'FlexAttention';

const CONTROL_NAMES: ReadonlyMap<string, ControlName> = new Map([
  [operatorKey('', 'If'), 'If'],
  [operatorKey('', 'Loop'), 'Loop'],
  [operatorKey('', 'Scan'), 'Scan'],
  [operatorKey('', 'SequenceMap'), 'SequenceMap'],
  [operatorKey('ai.onnx.preview', 'FlexAttention'), 'FlexAttention'],
]);

/** The operator of a node that contains graphs. */
export const controlOf = (node: NodeProto): ControlName | undefined =>
  CONTROL_NAMES.get(operatorKey(node.domain, node.opType));

/** The nodes that the outputs of a graph need. */
export const nodesOf = (graph: GraphProto): ReadonlyArray<PlacedNode> =>
  neededNodes(
    graph.nodes,
    graph.outputs.map((output) => output.name),
  );

/** The model whose features are searched. */
export interface Searched {
  readonly source: string;
  readonly functions: Functions;
}

/** A list of nodes, and their operator sets. */
interface Part {
  readonly nodes: ReadonlyArray<PlacedNode>;
  readonly versions: Versions;
}

interface Lack {
  count: number;
  readonly span: Span;
  readonly reason: (count: number, span: Span) => Diagnostic;
}

/**
 * Reports all missing features: each operator once, with its number of nodes and the first.
 * Functions and the bodies of loops are searched, too. Branches are searched if something else is
 * missing, or with `branches`: one of them may turn out not to be needed.
 */
export function reportMissing(
  { source, functions }: Searched,
  start: Part,
  problems: Problems,
  { branches = false }: { readonly branches?: boolean } = {},
): void {
  const lacks = new Map<string, Lack>();
  const known = new Set<string>();
  const entered = new Set<FunctionProto>();
  const pending: Part[] = [start];
  const choices: Part[] = [];
  const take = ({ nodes, versions }: Part): void => {
    const opset = versions.get('');
    // The model's own operator set is reported once, and not with each operator.
    const latest = versions === start.versions ? Number.POSITIVE_INFINITY : LATEST_OPSET;
    for (const [index, node] of nodes) {
      const inner = graphsOf(node).map((graph) => ({ nodes: nodesOf(graph), versions }));
      const control = controlOf(node);
      (control === 'If' ? choices : pending).push(...inner);
      if (control !== undefined) continue;
      const called = calledFunction(node, functions);
      if (called !== undefined) {
        if (!entered.has(called)) pending.push(partOf(called, versions));
        entered.add(called);
        continue;
      }
      const key = `${operatorKey(node.domain, node.opType)}\n${opset}`;
      const lack = lacks.get(key);
      if (lack !== undefined) lack.count++;
      if (lack !== undefined || known.has(key)) continue;
      const reason = lackOf(node, opset ?? LATEST_OPSET, latest);
      if (reason === undefined) known.add(key);
      else lacks.set(key, { count: 1, span: spanOfNode(node, index, source), reason });
    }
  };
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    take(part);
    if (pending.length === 0 && (branches || lacks.size > 0)) pending.push(...choices.splice(0));
  }
  for (const lack of lacks.values()) problems.add(lack.reason(lack.count, lack.span));
}

/** Reports an unsupported operator set of the model, if it is the one of its nodes. */
export function reportOpset(model: ModelProto, source: string, problems: Problems): void {
  const { graph } = model;
  const opset = opsetVersions(model.opsetImports).get('');
  const isNeeded = graph?.nodes.some((node) => isOwnDomain(node.domain)) === true;
  const isKnown = opset === undefined ? !isNeeded : opset >= 1 && opset <= LATEST_OPSET;
  const span = nodeSpan(source, graph?.name ?? '', 'GraphProto');
  if (!isKnown) problems.add(unsupportedOpset('', opset, LATEST_OPSET, span));
}

/** The body of a function; without operator sets of its own it has its caller's. */
export const partOf = (f: FunctionProto, versions: Versions): Part => ({
  nodes: neededNodes(f.nodes, f.outputs),
  versions: f.opsetImports.length === 0 ? versions : opsetVersions(f.opsetImports),
});

/**
 * The operators that a model lacks, if some are of a domain that the import does not know: told from
 * the outline of the file, before limits that such files exceed.
 */
export function foreignOperators(
  bytes: Uint8Array,
  options: DecodeOptions & { readonly source: string },
): Diagnostics | undefined {
  const opsets = decodeOpsets(bytes, options);
  if (isLeft(opsets) || opsets.right.opsetImports.every(({ domain }) => isKnown(domain))) {
    return undefined;
  }
  const outline = decodeOutline(bytes, options);
  if (isLeft(outline) || outline.right.graph === undefined) return undefined;
  const searched = { source: options.source, functions: functionsOf(outline.right) };
  const nodes = nodesOf(outline.right.graph);
  const isForeign = ([, node]: PlacedNode): boolean =>
    !isKnown(node.domain) && calledFunction(node, searched.functions) === undefined;
  if (!nodes.some(isForeign)) return undefined;
  const problems = makeProblems();
  const versions = opsetVersions(outline.right.opsetImports);
  reportMissing(searched, { nodes, versions }, problems);
  return problems.all();
}

/** Whether the import has operators of a domain. */
const isKnown = (domain: string): boolean => isOwnDomain(domain) || KNOWN_DOMAINS.has(domain);

const KNOWN_DOMAINS: ReadonlySet<string> = new Set(
  [...onnxImporters.values()].flatMap(({ domain }) => domain ?? []),
);

const isOwnDomain = (domain: string): boolean => domain === '' || domain === 'ai.onnx';

function lackOf(node: NodeProto, opset: number, latest: number): Lack['reason'] | undefined {
  const name = operatorName(node);
  const operator = onnxImporters.get(operatorKey(node.domain, node.opType));
  if (operator === undefined) {
    const why = refusal(node.domain, node.opType);
    return (count, span) => unsupportedOperator(`operator ${name}`, count, span, why);
  }
  const isNewer = opset > latest;
  if (!isNewer && sinceVersion(operator, opset) !== undefined) return undefined;
  const hint = isNewer
    ? `it is imported up to operator set ${latest}`
    : `it is imported from operator set ${factsOf(operator).versions[0]} on`;
  return (count, span) =>
    unsupportedOperator(`operator ${name} of operator set ${opset}`, count, span, hint);
}

/** Why some operators of ONNX are not imported, by name or by operator set. */

const TEXTS = 'it computes with texts, and tensors here hold numbers and bools';

/** The reason for each operator that stands for more than the missing import. */
const REASONS: Readonly<Record<string, string>> = {
  ImageDecoder: 'it decodes files of images: decode them before the model',
  RegexFullMatch: TEXTS,
  StringConcat: TEXTS,
  StringNormalizer: TEXTS,
  StringSplit: TEXTS,
};

/** The reasons for all operators of a domain. */
const REFUSED_DOMAINS: Readonly<Record<string, string>> = {
  'ai.onnx.ml': 'operators of classical machine learning are not imported',
  'ai.onnx.preview.training': 'operators of training are not imported',
};

/** The reason for which an operator is not imported, if there is one. */
function refusal(domain: string, opType: string): string | undefined {
  if (domain !== '' && domain !== 'ai.onnx') {
    return Object.hasOwn(REFUSED_DOMAINS, domain)
      ? REFUSED_DOMAINS[domain]
      : 'its domain is none of ONNX, and the model has no function of this name';
  }
  return Object.hasOwn(REASONS, opType) ? REASONS[opType] : undefined;
}
