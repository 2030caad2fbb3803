/** The export of a module as an ONNX model. */
import { expandGradients } from '@baton/autodiff';
import {
  budgetWithin,
  checkOptions,
  fail,
  failure,
  isLeft,
  type Limits,
  run as nested,
  nodeSpan,
  type Result,
  right,
  runSteps,
  type Span,
  type Steps,
  VERSION,
} from '@baton/base';
import { type Func, type IRModule, inferTypes, postOrderExprs, type Type, typeOf } from '@baton/ir';
import { noMain, notExportable, tooManyNodes } from '../diagnostics.ts';
import { encodeModel } from '../encode-model.ts';
import type { Operand } from '../node/writer.ts';
import { makeProblems } from '../problems.ts';
import { signatureOf } from '../signature.ts';
import { leavesOf, ownResults } from './branches.ts';
import { withContainers } from './containers.ts';
import { emptyDraft, type InnerGraph, operand } from './draft.ts';
import { activation, evaluated, spanOf } from './evaluate.ts';
import { type BorderNames, dimensionNames, graphProto } from './file.ts';
import { DEFAULT_OPSET, EXPORT_OPTIONS, type ExportOptions, OPSETS } from './options.ts';
import { type ExportRun, MAX_NODES, needElementType, type Site } from './run.ts';
import { simplified } from './simplify/simplify.ts';
import { tupleOf, UNKNOWN, type Value } from './values.ts';

/**
 * The ONNX file of a module: its `@main` as the graph, with the parameters as inputs and the result
 * as outputs, one for each field of a tuple. Functions are inlined, and data, tuples, functions and
 * references are evaluated away; operators that ONNX lacks are written as formulas. The outputs have
 * the names that the attribute `output_tensor_names` of `@main` gives them.
 *
 * **Errors** `OPTION_RECORD`, `OPTION_UNKNOWN`, `OPTION_TYPE`; the errors of type inference;
 * `ONNX_EXPORT` at every part that ONNX cannot say.
 *
 * **Complexity** linear in the program, with its functions inlined, and in the bytes of constants.
 */
export function exportOnnx(m: IRModule, options: ExportOptions = {}): Result<Uint8Array> {
  const wrong = failure(checkOptions('exportOnnx', options, EXPORT_OPTIONS, exportOnnx));
  if (wrong !== undefined) return wrong;
  const pieces = exported(m, options);
  return isLeft(pieces) ? pieces : right(joined(pieces.right));
}

/**
 * Like {@link exportOnnx}, but the file as pieces, to be written one after another: the elements of
 * large tensors are not copied.
 *
 * **Errors** as {@link exportOnnx}.
 */
export function exportOnnxPieces(
  m: IRModule,
  options: ExportOptions = {},
): Result<ReadonlyArray<Uint8Array>> {
  const wrong = failure(
    checkOptions('exportOnnxPieces', options, EXPORT_OPTIONS, exportOnnxPieces),
  );
  return wrong ?? exported(m, options);
}

function joined(pieces: ReadonlyArray<Uint8Array>): Uint8Array {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The name of the program in diagnostics of parts without an origin. */
const SOURCE = 'module';

function exported(m: IRModule, options: ExportOptions): Result<ReadonlyArray<Uint8Array>> {
  const given = inferTypes(m);
  if (isLeft(given)) return given;
  const expanded = expandGradients(given.right);
  const typed = isLeft(expanded) ? expanded : inferTypes(expanded.right);
  if (isLeft(typed)) return typed;
  const main = typed.right.functions.get('main');
  if (main === undefined) return fail(noMain(nodeSpan(SOURCE, 'main', 'Function')));
  let opset = options.opset ?? DEFAULT_OPSET;
  let made = writtenFile(typed.right, main, opset, options);
  // A later operator set may write a part with a node that needs a still later one.
  while (options.opset === undefined && made.wanted > opset && made.wanted <= OPSETS.most) {
    opset = made.wanted;
    made = writtenFile(typed.right, main, opset, options);
  }
  return made.file;
}

interface WrittenFile {
  readonly file: Result<ReadonlyArray<Uint8Array>>;
  /** The latest version of the operator set that a part of the program needs. */
  readonly wanted: number;
}

function writtenFile(
  module: IRModule,
  main: Func,
  opset: number,
  options: ExportOptions,
): WrittenFile {
  const { name = 'main', externalData } = options;
  const problems = makeProblems();
  const isChosen = options.opset !== undefined;
  const state = { module, opset, isChosen, source: SOURCE, problems };
  const domains = new Set<string>();
  const room = budgetWithin(options.limits ?? {}, () => defaultLimits(module));
  const most = room.left('nodes');
  const run: ExportRun = { ...state, domains, wanted: opset, room, nodesLeft: most };
  const { graph, border } = runSteps(writtenMain(run, main));
  if (run.nodesLeft < 0) problems.add(tooManyNodes(most, spanOf(run, main)));
  const failures = problems.all();
  if (failures !== undefined) return { file: fail(...failures), wanted: run.wanted };
  const file = encodeModel({
    irVersion: irVersionOf(opset),
    producer: PRODUCER,
    opsetImports: [
      { domain: '', version: opset },
      ...[...domains].map((domain) => ({ domain, version: 1 })),
    ],
    graph: graphProto(name, simplified(graph, opset), border, externalData),
    functions: [],
  });
  return { file: right(file), wanted: opset };
}

/** Bytes of tables that writers make for any program. */
const TABLE_BYTES = 2 ** 28;

/** Nodes of the file of any program, and for each of its nodes. */
const FILE_NODES = { base: 100_000, factor: 20 };

const defaultLimits = ({ functions }: IRModule): Limits => ({
  bytes: TABLE_BYTES,
  nodes: Math.min(
    FILE_NODES.base + FILE_NODES.factor * postOrderExprs([...functions.values()]).length,
    MAX_NODES,
  ),
});

const PRODUCER = ['baton', VERSION] as const;

/** The version of the file format that came with a version of the operator set. */
const irVersionOf = (opset: number): number => {
  const since = IR_VERSIONS.findLast(([first]) => opset >= first);
  return since?.[1] ?? 7;
};

const IR_VERSIONS: ReadonlyArray<readonly [opset: number, irVersion: number]> = [
  [13, 7],
  [15, 8],
  [19, 9],
  [21, 10],
  [23, 11],
  [24, 12],
  [25, 13],
  [28, 14],
];

interface WrittenMain {
  readonly graph: InnerGraph;
  readonly border: BorderNames;
}

function* writtenMain(run: ExportRun, main: Func): Steps<WrittenMain> {
  const args: Value[] = [];
  for (const param of main.params) {
    const type = typeOf(run.module, param);
    args.push(yield* nested(inputOf(run, type, param.nameHint, spanOf(run, param))));
  }
  const inputs = (yield* nested(leavesOf(tupleOf(args)))) ?? [];
  const draft = emptyDraft(0, inputs);
  const frame = activation(main, args, { outer: undefined, draft, depth: 0 });
  const value = yield* nested(evaluated(main.body, frame, run));
  const span = spanOf(run, main);
  const site = { run, draft, span, origin: undefined };
  const signature = signatureOf(main.attrs);
  const contained = yield* nested(withContainers(site, value, signature));
  const tensors = contained ?? (yield* nested(leavesOf(value)));
  const isSilent = value !== UNKNOWN || run.problems.all() === undefined;
  if (tensors === undefined && isSilent) run.problems.add(notExportable(NO_TENSORS, span));
  const names = outputNames(main, tensors?.length ?? 0);
  const outputs = ownOutputs(site, tensors ?? [], names);
  return {
    graph: { draft, outputs },
    border: {
      inputs: inputs.map((input) => input.hint ?? ''),
      outputs: names,
      containers: contained === undefined ? [] : signature.containers,
      dims: dimensionNames(signature, inputs),
      defaults: signature.defaults,
    },
  };
}

/**
 * The outputs with an `Identity` after those that the graph does not make, or gives twice. An input
 * that is an output under its own name is one in ONNX too.
 */
function ownOutputs(
  site: Site,
  tensors: ReadonlyArray<Operand>,
  names: ReadonlyArray<string>,
): ReadonlyArray<Operand> {
  const { inputs } = site.draft;
  const isSame = (tensor: Operand, i: number): boolean =>
    inputs.includes(tensor) && tensor.hint === names[i];
  const others = ownResults(
    site,
    tensors.filter((tensor, i) => !isSame(tensor, i)),
  );
  let next = 0;
  return tensors.map((tensor, i) => (isSame(tensor, i) ? tensor : (others[next++] ?? tensor)));
}

const NO_TENSORS = 'a result that is not a tensor or a tuple of tensors';

/** The value of a parameter: a tensor, or a tuple of tensors. */
function* inputOf(run: ExportRun, type: Type | undefined, name: string, span: Span): Steps<Value> {
  if (type?._tag === 'TensorType') {
    needElementType(run, type, span);
    return operand(type, { hint: name });
  }
  if (type?._tag !== 'TupleType') {
    run.problems.add(notExportable('a parameter that is not a tensor', span));
    return UNKNOWN;
  }
  const fields: Value[] = [];
  for (const [i, field] of type.fields.entries()) {
    fields.push(yield* nested(inputOf(run, field, `${name}.${i}`, span)));
  }
  return tupleOf(fields);
}

/**
 * The names of the `count` results of a function: those that its attribute `output_tensor_names`
 * states, else `output`, `output_1` and so on.
 */
export function outputNames(main: Func, count: number): ReadonlyArray<string> {
  const stated = signatureOf(main.attrs).outputNames;
  if (stated.length === count) return stated;
  return Array.from({ length: count }, (_, i) => (i === 0 ? 'output' : `output_${i}`));
}
