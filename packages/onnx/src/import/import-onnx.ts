/** The import of a model. */
import {
  budgetWithin,
  type Diagnostic,
  fail,
  failure,
  isLeft,
  left,
  nodeSpan,
  type Result,
  right,
  type Span,
} from '@baton/base';
import {
  bareAtom,
  type Expr,
  func,
  type IRModule,
  irModule,
  type TypeVar,
  tuple,
  type Var,
} from '@baton/ir';
import { budgetOf, decodeModelWithin } from '../decode-model.ts';
import { statedOpset } from '../default-opset.ts';
import { defaultNeeded, duplicateName, noGraph, noOutputs } from '../diagnostics.ts';
import { makeProblems } from '../problems.ts';
import type { Budget } from '../protobuf/budget.ts';
import type { GraphProto } from '../protobuf/messages.ts';
import { otherFormat } from '../protobuf/other-formats.ts';
import { withinRoom } from '../room.ts';
import { signatureAttrs } from '../signature.ts';
import { type Assumed, type Attempt, decided, makeChoices } from './attempts.ts';
import { checkNames, checkOptions } from './check-options.ts';
import {
  foreignOperators,
  functionsOf,
  nodesOf,
  opsetVersions,
  reportMissing,
  reportOpset,
  type Searched,
  type Versions,
} from './coverage.ts';
import { defaultsOf, inputsWithDefault } from './defaults.ts';
import { dimensionName } from './dimensions.ts';
import { readOnce } from './external.ts';
import { FOLD_BUDGET_ELEMENTS } from './folding.ts';
import { dimensionsOf, graphValues } from './graph-values.ts';
import { type GraphRun, lookUp, namesOf } from './import-node.ts';
import { importNodes } from './import-nodes.ts';
import { decodeLimits, type ImportOptions, weightSource } from './options.ts';
import { signatureOfGraph } from './signature.ts';
import { type ImportState, noteOrder } from './state.ts';
import { statedShapes } from './stated.ts';
import { makeValueTypes } from './types.ts';

/**
 * The module of an ONNX file: `@main`, with the graph's true inputs as parameters, its initializers
 * as constants, its nodes as calls (shared if their values are), and its outputs as the result, a
 * tuple if there are several. The function's attribute `output_tensor_names` has the names of the
 * outputs.
 *
 * Tensors of the file are views of `bytes`, which must not change afterwards. Every call's span
 * names its ONNX node.
 *
 * **Errors** `ONNX_OPTION`; `ONNX_BYTES`, `ONNX_MALFORMED`, `ONNX_LIMIT`; `ONNX_UNSUPPORTED` and
 * `ONNX_OPSET` for all features of the model that are not imported, each once; else every node that cannot be imported for a
 * reason of its own, at that node (`ONNX_ATTRIBUTE`, `ONNX_INPUTS`, `ONNX_VALUE`,
 * `ONNX_NOT_CONSTANT`, the errors of operators' type relations, and others).
 *
 * **Complexity** linear in the bytes, and in the elements of tensors that are not stored raw.
 */
export function importOnnx(bytes: Uint8Array, given: ImportOptions): Result<IRModule> {
  const source = given?.source ?? DEFAULT_SOURCE;
  const wrong = failure(checkOptions(given, source));
  if (wrong !== undefined) return wrong;
  const { externalData } = given;
  const options = externalData ? { ...given, externalData: readOnce(externalData) } : given;
  const decodeOptions = { source, limits: decodeLimits(options.limits) };
  const foreign = foreignOperators(bytes, decodeOptions);
  if (foreign !== undefined) return left(foreign);
  const budget = budgetOf(bytes, decodeOptions);
  const decoded = decodeModelWithin(budget, bytes, decodeOptions);
  if (isLeft(decoded)) return decoded;
  const { graph } = decoded.right;
  if (graph === undefined) return fail(noGraph(source, otherFormat(bytes)));
  const defaults = inputsWithDefault(decoded.right, options);
  const misnamed = failure(checkNames(options, graph, defaults, source));
  if (misnamed !== undefined) return misnamed;
  const problems = makeProblems();
  const searched = { source, functions: functionsOf(decoded.right) };
  const versions = opsetVersions(decoded.right.opsetImports);
  reportOpset(decoded.right, source, problems);
  reportMissing(searched, { nodes: nodesOf(graph), versions }, problems);
  const lacking = problems.all();
  if (lacking !== undefined) return fail(...lacking);
  const order = namesOfInputs(graph);
  return withDefaults(defaults, options, source, (defaults, onWarning) =>
    decided(order, onWarning, (assumed) => {
      const parts = { graph, versions, searched, options, budget, assumed, defaults };
      return importGraph(parts, bytes.length);
    }),
  );
}

/**
 * The import with defaults of inputs, or, where the import needs to know their values, with constants
 * in their place.
 */
function withDefaults(
  defaults: ReadonlySet<string>,
  options: ImportOptions,
  source: string,
  run: (
    defaults: ReadonlySet<string>,
    onWarning: (warning: Diagnostic) => void,
  ) => Result<IRModule>,
): Result<IRModule> {
  const tell = (warning: Diagnostic): void => options.onWarning?.(warning);
  const first = run(defaults, tell);
  if (!isLeft(first) || defaults.size === 0 || options.defaults !== undefined) return first;
  const warnings: Diagnostic[] = [];
  const second = run(new Set(), (warning) => void warnings.push(warning));
  if (isLeft(second)) return second;
  for (const name of defaults) {
    warnings.push(defaultNeeded(name, nodeSpan(source, name, 'input')));
  }
  warnings.forEach(tell);
  return second;
}

/** The names of the dimensions of a graph's inputs, in the order of first mention. */
const namesOfInputs = ({ inputs }: GraphProto): ReadonlyArray<string> =>
  inputs.flatMap(({ name, type }) =>
    type?._tag === 'Tensor'
      ? (type.shape ?? []).flatMap((dim, axis) => dimensionName(name, axis, dim) ?? [])
      : [],
  );

interface GraphParts {
  readonly graph: GraphProto;
  readonly versions: Versions;
  readonly searched: Searched;
  readonly options: ImportOptions;
  readonly budget: Budget;
  readonly assumed: Assumed;
  readonly defaults: ReadonlySet<string>;
}

const DEFAULT_SOURCE = 'onnx';

/** Bytes of tables that the import makes for any file, and for each byte of it. */
const ROOM_BYTES = { base: 2 ** 28, factor: 8 };

function importGraph(
  { graph, versions, searched, options, budget, assumed, defaults }: GraphParts,
  byteLength: number,
): Attempt {
  const { source } = searched;
  const problems = makeProblems();
  const weights = weightSource(options);
  const dimensions = dimensionsOf(options, graph, assumed);
  const start = graphValues({ options, weights, source, problems, defaults }, graph, dimensions);
  const state: ImportState = {
    ops: options.ops,
    options,
    weights,
    types: makeValueTypes(options.ops),
    opRefs: new Map(),
    openDims: start.openDims,
    dimensions,
    equalities: [],
    choices: makeChoices(assumed.branches),
    computed: new Set(),
    sizes: new Map(),
    foldBudget: FOLD_BUDGET_ELEMENTS,
    warnings: new Map(),
    room: budgetWithin(options.limits ?? {}, () => ({
      bytes: ROOM_BYTES.base + ROOM_BYTES.factor * byteLength,
    })),
    budget,
  };
  const nodes = nodesOf(graph);
  const names = graph.outputs.map((output) => output.name);
  const run: GraphRun = {
    ...searched,
    state,
    start,
    versions,
    values: new Map(),
    failed: new Set(),
    ...namesOf(nodes, names),
    stated: statedShapes(nodes, graph),
    problems,
    call: { absent: start.absent, attributes: new Map() },
  };
  const span = nodeSpan(source, graph.name, 'GraphProto');
  noteOrder(state, nodes, span);
  const done = withinRoom(() => importNodes(run, nodes), span);
  return {
    module: isLeft(done) ? done : moduleOf(run, graph, span),
    equalities: state.equalities,
    open: state.choices.open(),
    warnings: [...state.warnings.values()],
  };
}

/** The module of a graph whose nodes are imported. */
function moduleOf(run: GraphRun, graph: GraphProto, span: Span): Result<IRModule> {
  const { state, start, problems } = run;
  const results = importResults(run, graph);
  const failures = problems.all();
  if (failures !== undefined) return fail(...failures);
  const types = results.map((result) => state.types.typeOf(result));
  const [only, ...others] = results;
  const body = only === undefined || others.length > 0 ? tuple(results, span) : only;
  const defaults = defaultsOf(start.params, graph, state.options);
  if (isLeft(defaults)) return defaults;
  const typeParams = namesOfSizes(start.params);
  const main = func(start.params, body, {
    span,
    typeParams,
    attrs: signatureAttrs({
      ...signatureOfGraph(graph, start.params, types, defaults.right),
      opset: statedOpset(run.versions.get('') ?? 0, [body], state.types.typeOf),
    }),
  });
  return right(irModule({ ops: state.ops, functions: new Map([['main', main]]) }));
}

function importResults(run: GraphRun, graph: GraphProto): ReadonlyArray<Expr> {
  const results: Expr[] = [];
  const names = new Set<string>();
  for (const { name } of graph.outputs) {
    const span = nodeSpan(run.source, name, 'output');
    const value = lookUp(run, name, span);
    if (value !== undefined) results.push(value);
    if (names.has(name)) run.problems.add(duplicateName(name, span));
    names.add(name);
  }
  if (graph.outputs.length === 0) {
    run.problems.add(noOutputs(nodeSpan(run.source, graph.name, 'GraphProto')));
  }
  return results;
}

/** The dimension variables of the parameters, in the order of first mention. */
const namesOfSizes = (params: ReadonlyArray<Var>): ReadonlyArray<TypeVar> => {
  const atoms = params.flatMap(({ typeAnnotation: type }) =>
    type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape.map(bareAtom) : [],
  );
  return [...new Set(atoms.filter((atom) => atom?._tag === 'TypeVar'))];
};
