/** The export of a module as an ONNX model. */
import { gradientsAsGraphs } from '@baton/autodiff';
import {
  budgetWithin,
  checkOptions,
  type Diagnostics,
  fail,
  failure,
  isLeft,
  joinedBytes,
  type Limits,
  left,
  nodeSpan,
  type Result,
  right,
  runSteps,
  VERSION,
} from '@baton/base';
import { type Func, type IRModule, inferTypes, postOrderExprs, typeOf } from '@baton/ir';
import { defaultOpsets } from '../default-opset.ts';
import { noMain, tooManyNodes } from '../diagnostics.ts';
import { encodeModel } from '../encode-model.ts';
import { makeProblems } from '../problems.ts';
import { OPSETS, signatureOf } from '../signature.ts';
import { graphProto } from './file.ts';
import { type MainGraph, mainGraph } from './main-graph.ts';
import { EXPORT_OPTIONS, type ExportOptions } from './options.ts';
import { type ExportRun, MAX_NODES } from './run.ts';
import { simplified } from './simplify/simplify.ts';
import { spanOf } from './trace.ts';

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
  return isLeft(pieces) ? pieces : right(joinedBytes(pieces.right));
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

/** The name of the program in diagnostics of parts without an origin. */
const SOURCE = 'module';

function exported(m: IRModule, options: ExportOptions): Result<ReadonlyArray<Uint8Array>> {
  const given = inferTypes(m);
  if (isLeft(given)) return given;
  const expanded = gradientsAsGraphs(given.right);
  const typed = isLeft(expanded) ? expanded : inferTypes(expanded.right);
  if (isLeft(typed)) return typed;
  const main = typed.right.functions.get('main');
  const spanOfMain = nodeSpan(SOURCE, 'main', 'Function');
  if (main === undefined) return fail(noMain(spanOfMain));
  const ofProgram = [...typed.right.functions.values()];
  const { opset: stated } = signatureOf(main.attrs);
  const sets =
    options.opset === undefined
      ? defaultOpsets(stated, ofProgram, (expr) => typeOf(typed.right, expr))
      : [options.opset];
  const graphs = sets.map((opset) => writtenSince(opset, typed.right, main, options));
  const failed = graphs.find(({ failures }) => failures !== undefined);
  const [first, ...others] = graphs.filter(({ failures }) => failures === undefined);
  if (first === undefined) return left(failed?.failures ?? [noMain(spanOfMain)]);
  // A later set may say with one node what takes several in an earlier one.
  const fewest = others.reduce((best, one) => (countOf(one) < countOf(best) ? one : best), first);
  return right(encoded(fewest, options));
}

/** A graph that is written in an operator set, or why it cannot be. */
interface WrittenGraph extends MainGraph {
  readonly opset: number;
  readonly failures: Diagnostics | undefined;
  /** The latest version of the operator set that a part of the program needs. */
  readonly wanted: number;
  readonly domains: ReadonlySet<string>;
}

/** The graph in the first operator set from one on that has all that it needs. */
function writtenSince(
  start: number,
  module: IRModule,
  main: Func,
  options: ExportOptions,
): WrittenGraph {
  let made = writtenGraph(module, main, start, options);
  // A later operator set may write a part with a node that needs a still later one.
  while (
    options.opset === undefined &&
    made.failures !== undefined &&
    made.wanted > made.opset &&
    made.wanted <= OPSETS.most
  ) {
    made = writtenGraph(module, main, made.wanted, options);
  }
  return made;
}

function writtenGraph(
  module: IRModule,
  main: Func,
  opset: number,
  options: ExportOptions,
): WrittenGraph {
  const { target = 'onnxruntime' } = options;
  const problems = makeProblems();
  const isChosen = options.opset !== undefined;
  const state = { module, opset, isChosen, target, source: SOURCE, problems };
  const domains = new Set<string>();
  const room = budgetWithin(options.limits ?? {}, () => defaultLimits(module));
  const most = room.left('nodes');
  const run: ExportRun = { ...state, domains, wanted: opset, room, nodesLeft: most };
  const made = runSteps(mainGraph(run, main));
  if (run.nodesLeft < 0) problems.add(tooManyNodes(most, spanOf(run, main)));
  const failures = problems.all();
  const { wanted } = run;
  if (failures !== undefined) return { ...made, opset, failures, wanted, domains };
  const graph = simplified(made.graph, module.ops, { opset, target });
  return { ...made, graph, opset, failures, wanted: opset, domains };
}

/** The number of nodes, those of inner graphs included. */
function countOf({ graph }: WrittenGraph): number {
  const pending = [graph];
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    count += next.draft.nodes.length;
    for (const { graphs } of next.draft.nodes) pending.push(...Object.values(graphs));
  }
  return count;
}

const encoded = (
  { graph, border, opset, domains }: WrittenGraph,
  options: ExportOptions,
): ReadonlyArray<Uint8Array> =>
  encodeModel({
    irVersion: irVersionOf(opset),
    producer: PRODUCER,
    opsetImports: [
      { domain: '', version: opset },
      ...[...domains].map((domain) => ({ domain, version: 1 })),
    ],
    graph: graphProto(options.name ?? 'main', graph, border, options),
    functions: [],
  });

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
