/** The export of a module as an ONNX model. */
import { expandGradients } from '@baton/autodiff';
import {
  budgetWithin,
  checkOptions,
  fail,
  failure,
  isLeft,
  joinedBytes,
  type Limits,
  nodeSpan,
  type Result,
  right,
  runSteps,
  VERSION,
} from '@baton/base';
import { type Func, type IRModule, inferTypes, postOrderExprs, typeOf } from '@baton/ir';
import { defaultOpset } from '../default-opset.ts';
import { noMain, tooManyNodes } from '../diagnostics.ts';
import { encodeModel } from '../encode-model.ts';
import { makeProblems } from '../problems.ts';
import { OPSETS, signatureOf } from '../signature.ts';
import { spanOf } from './evaluate.ts';
import { graphProto } from './file.ts';
import { mainGraph } from './main-graph.ts';
import { EXPORT_OPTIONS, type ExportOptions } from './options.ts';
import { type ExportRun, MAX_NODES } from './run.ts';
import { simplified } from './simplify/simplify.ts';

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
  const expanded = expandGradients(given.right);
  const typed = isLeft(expanded) ? expanded : inferTypes(expanded.right);
  if (isLeft(typed)) return typed;
  const main = typed.right.functions.get('main');
  if (main === undefined) return fail(noMain(nodeSpan(SOURCE, 'main', 'Function')));
  const ofProgram = [...typed.right.functions.values()];
  const { opset: stated } = signatureOf(main.attrs);
  let opset = options.opset ?? defaultOpset(stated, ofProgram, (expr) => typeOf(typed.right, expr));
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
  const { name = 'main', target = 'onnxruntime' } = options;
  const problems = makeProblems();
  const isChosen = options.opset !== undefined;
  const state = { module, opset, isChosen, target, source: SOURCE, problems };
  const domains = new Set<string>();
  const room = budgetWithin(options.limits ?? {}, () => defaultLimits(module));
  const most = room.left('nodes');
  const run: ExportRun = { ...state, domains, wanted: opset, room, nodesLeft: most };
  const { graph, border } = runSteps(mainGraph(run, main));
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
    graph: graphProto(name, simplified(graph, module.ops, { opset, target }), border, options),
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
