/** Compares an operator's kernel, exporter and importer, or the importer of a node, with onnxruntime. */
import { type Diagnostics, fnv1a32, isLeft, ok, orThrow, type Result } from '@baton/base';
import { evaluate } from '@baton/executor';
import {
  type Attrs,
  anyDim,
  call,
  constant,
  type Expr,
  func,
  irModule,
  opRef,
  substitute,
  tensorType,
  tuple,
  type Var,
  variable,
} from '@baton/ir';
import { exportOnnx, importOnnx } from '@baton/onnx';
import { evaluateOp, type OpValue, standardOps } from '@baton/ops';
import { isInteger, isTensor, printShape, type Tensor } from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { withFreeInputs } from '../../packages/workshop/src/node-tests/free.ts';
import { requireRuntime } from '../../packages/workshop/src/onnxruntime/installed.ts';
import type { Case, CaseDraw, NodeDraw, Tolerance } from './case.ts';
import { difference } from './compare.ts';
import { makeDraw } from './draw.ts';
import { makeGraph, type OnnxGraph } from './onnx-graph.ts';
import { freePart, type GraphParts, modelBytes } from './onnx-writer.ts';

/** How much is compared. */
export interface Amount {
  readonly count: number;
  /** The number of calls that are also imported one by one with inputs of any size. */
  readonly free: number;
  readonly seed: number;
}

/** The counts of comparisons, and the differences. */
export interface Outcome {
  readonly instances: number;
  /** The number of calls with inputs of any size that were imported, and not refused. */
  readonly free: number;
  readonly differences: ReadonlyArray<string>;
}

/** Tensors by the names of their values. */
type Named = ReadonlyMap<string, Tensor>;

/**
 * Compares random calls of an operator. The exporter writes them as one file, which onnxruntime runs:
 * its results are those of the kernel, and those of the file when it is imported again, with the sizes
 * of the calls and with inputs of any size.
 */
export async function compareOperator(
  name: string,
  draw: CaseDraw,
  { count, free, seed }: Amount,
): Promise<Outcome> {
  const random = makeDraw((seed ^ fnv1a32(name)) >>> 0);
  const cases = Array.from({ length: count }, () => draw(random));
  const calls = cases.map((c) => callOf(name, c));
  const file = exportedCalls(calls);
  if (isLeft(file)) {
    const differences = calls.map(
      (one, i) => `${describe(name, cases[i] as Case, i)}: ${refusalOf(exportedCalls([one]))}`,
    );
    return { instances: count, free: 0, differences };
  }
  const inputs = named(calls.flatMap((one) => one.values));
  const outside = [...(await runElsewhere(file.right, { inputs })).values()];
  const imported = orThrow(runImported(file.right, inputs));
  const lists = calls.map(({ results, values }, i) => {
    const expected = outside.splice(0, results);
    const alone = i < free ? runFree(withFreeInputs(fileOf(calls, i)), named(values)) : undefined;
    return { expected, again: imported.splice(0, results), alone };
  });
  const differences = cases.flatMap((c, i) => {
    const { expected, again, alone } = lists[i] as (typeof lists)[number];
    return told(describe(name, c, i), {
      '': differenceOf(kernelResult(name, c), expected, c),
      ', exported and imported': differenceOf(again, expected, c),
      ', of any size': alone && freeDifference(alone, expected, c),
    });
  });
  const ran = lists.filter(({ alone }) => alone?._tag === 'Ran').length;
  return { instances: count, free: ran, differences };
}

/** The file of one of several calls. */
const fileOf = (calls: ReadonlyArray<ExportedCall>, i: number): Uint8Array =>
  orThrow(exportedCalls(calls.slice(i, i + 1)));

/**
 * Compares random nodes that the importer reads with onnxruntime's values: as they are, and with inputs
 * of any size. The version of the operator set is a recent one by default.
 */
export async function compareNode(
  name: string,
  draw: NodeDraw,
  { count, free, seed }: Amount,
  opset?: number,
): Promise<Outcome> {
  const random = makeDraw((seed ^ fnv1a32(name)) >>> 0);
  const graph = makeGraph();
  const cases = Array.from({ length: count }, () => draw(random, graph));
  const outputs = cases.map(({ result }) => namedOutputs(result, graph));
  const parts = { ...graph.parts(outputs.flat()), opset };
  // For a pool that rounds up, onnxruntime infers another size than it computes.
  const wanted = await runElsewhere(modelBytes({ ...parts, isFree: true }), parts);
  const imported = orThrow(runImported(modelBytes(parts), parts.inputs));
  let ran = 0;
  const differences = cases.flatMap((c, i) => {
    const names = outputs[i] ?? [];
    const expected = names.map((output) => wanted.get(output) as Tensor);
    const part = freePart(parts, names);
    const alone = i < free ? runFree(modelBytes(part), part.inputs) : undefined;
    if (alone?._tag === 'Ran') ran++;
    return told(`${i}. ${name}`, {
      '': differenceOf(imported.splice(0, names.length), expected, c),
      ', of any size': alone && freeDifference(alone, expected, c),
    });
  });
  return { instances: count, free: ran, differences };
}

/** The differences that there are, each with what was compared. */
const told = (
  subject: string,
  found: Readonly<Record<string, string | undefined>>,
): ReadonlyArray<string> =>
  Object.entries(found).flatMap(([what, differs]) =>
    differs === undefined ? [] : [`${subject}${what}: ${differs}`],
  );

/** The inputs of the file of calls. */
const named = (values: ReadonlyArray<Tensor>): Named =>
  new Map(values.map((value, i) => [`x${i}`, value]));

const refusalOf = (file: Result<Uint8Array>): string =>
  isLeft(file) ? file.left.map((d) => d.message).join('; ') : 'another call is not exported';

/** The file of calls; their parameters are `x0`, `x1`, … */
function exportedCalls(calls: ReadonlyArray<ExportedCall>): Result<Uint8Array> {
  const own = calls.flatMap((one) => one.params);
  const params = own.map((param, i) => variable(`x${i}`, param.typeAnnotation));
  const renaming = new Map(own.map((param, i) => [param, params[i] as Var]));
  const body = substitute(tuple(calls.map((one) => one.body)), renaming);
  const functions = new Map([['main', func(params, body)]]);
  return exportOnnx(irModule({ ops: standardOps, functions }));
}

/** A call with its arguments as parameters. */
interface ExportedCall {
  readonly params: ReadonlyArray<Var>;
  readonly values: ReadonlyArray<Tensor>;
  readonly body: Expr;
  /** The number of its results. */
  readonly results: number;
}

function callOf(name: string, c: Case): ExportedCall {
  const params: Var[] = [];
  const values: Tensor[] = [];
  const argOf = (arg: OpValue, index = 0): Expr => {
    if (!isTensor(arg)) return tuple(arg.map((field) => argOf(field)));
    if (index > 0 && c.hasConstantShapes && isInteger(arg.dtype)) return constant(arg);
    const sizes = c.hasOpenSizes ? arg.shape.map(() => anyDim) : arg.shape;
    const param = variable(`x${params.length}`, tensorType(sizes, arg.dtype));
    params.push(param);
    values.push(arg);
    return param;
  };
  const op = standardOps.get(name);
  if (op === undefined) throw new Error(`no operator ${name}`);
  const attrs: Attrs = orThrow(op.attrs.decode(c.attrs ?? {}));
  const body = call(
    opRef(name),
    c.args.map((arg, index) => argOf(arg, index)),
    { attrs },
  );
  return { params, values, body, results: kernelResult(name, c).length };
}

/** Each output of a model has a name of its own, and is no input. */
const namedOutputs = (
  result: string | ReadonlyArray<string>,
  graph: OnnxGraph,
): ReadonlyArray<string> =>
  (typeof result === 'string' ? [result] : result).map((name) => graph.node('Identity', [name]));

function kernelResult(name: string, c: Case): ReadonlyArray<Tensor> {
  const op = standardOps.get(name);
  if (op === undefined) throw new Error(`no operator ${name}`);
  const attrs: Attrs = orThrow(op.attrs.decode(c.attrs ?? {}));
  return tensorsOf(orThrow(evaluateOp(standardOps, name, attrs, c.args)));
}

const tensorsOf = (value: OpValue): ReadonlyArray<Tensor> =>
  isTensor(value) ? [value] : value.flatMap(tensorsOf);

function differenceOf(
  found: ReadonlyArray<Tensor>,
  wanted: ReadonlyArray<Tensor>,
  { ulps = 0, scale = 0 }: Tolerance,
): string | undefined {
  if (found.length < wanted.length || wanted.length === 0) {
    return `${found.length} results in place of ${wanted.length}`;
  }
  for (const [i, expected] of wanted.entries()) {
    const differs = difference(found[i] as Tensor, expected, ulps, scale);
    if (differs !== undefined) return `result ${i}: ${differs}`;
  }
  return undefined;
}

function describe(name: string, c: Case, at: number): string {
  const shown = (value: OpValue): string =>
    isTensor(value)
      ? `${value.dtype}${printShape(value.shape)}`
      : `(${value.map(shown).join(', ')})`;
  return `${at}. ${name}(${c.args.map(shown).join(', ')}) ${JSON.stringify(c.attrs ?? {})}`;
}

const runtime = requireRuntime();

/** Fails if onnxruntime does not load a model with its default optimizations, as users do. */
export async function loadElsewhere(bytes: Uint8Array): Promise<void> {
  orThrow(await runtime.run(bytes, [], 'all'));
}

/** The outputs of a model in onnxruntime, by name. */
export async function runElsewhere(
  bytes: Uint8Array,
  parts: Pick<GraphParts, 'inputs'>,
): Promise<ReadonlyMap<string, Tensor>> {
  const [found = new Map()] = orThrow(await runtime.run(bytes, [parts.inputs]));
  return found;
}

/** The results of a file whose inputs have any size. */
type FreeRun =
  | { readonly _tag: 'Ran'; readonly results: ReadonlyArray<Tensor> }
  | { readonly _tag: 'Refused'; readonly diagnostics: Diagnostics }
  | { readonly _tag: 'Failed'; readonly diagnostics: Diagnostics };

function runFree(bytes: Uint8Array, inputs: Named): FreeRun {
  const m = importOnnx(bytes, { ops: standardOps });
  if (isLeft(m)) return { _tag: 'Refused', diagnostics: m.left };
  const value = evaluate(m.right, [...inputs.values()]);
  if (isLeft(value)) return { _tag: 'Failed', diagnostics: value.left };
  return { _tag: 'Ran', results: leavesOf(value.right) };
}

/** A file may be refused only for sizes that are not known. */
function freeDifference(run: FreeRun, expected: ReadonlyArray<Tensor>, tolerance: Tolerance) {
  if (run._tag === 'Ran') return differenceOf(run.results, expected, tolerance);
  const isFair = run._tag === 'Refused' && run.diagnostics.every((d) => REFUSALS.has(d.code));
  return isFair ? undefined : run.diagnostics.map((d) => `${d.code}: ${d.message}`).join('; ');
}

const REFUSALS: ReadonlySet<string> = new Set(['ONNX_NOT_CONSTANT']);

/** The outputs of a file in order, as the importer reads it. */
function runImported(bytes: Uint8Array, inputs: Named): Result<Tensor[]> {
  const m = importOnnx(bytes, { ops: standardOps });
  if (isLeft(m)) return m;
  const value = evaluate(m.right, [...inputs.values()]);
  return isLeft(value) ? value : ok([...leavesOf(value.right)]);
}
