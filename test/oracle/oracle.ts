/** Runs comparisons of one operator: Relay's kernel, the importer, and onnxruntime. */
import { type Diagnostics, fnv1a32, isLeft, orThrow, type Result } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import {
  type Attrs,
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
import { requireRuntime } from '../../packages/workshop/src/onnxruntime/installed.ts';
import { difference } from './compare.ts';
import { makeDraw } from './draw.ts';
import type { Case, Mapping } from './mapping.ts';
import { makeGraph, type OnnxGraph } from './onnx-graph.ts';
import { freePart, type GraphParts, modelBytes } from './onnx-writer.ts';

/** The parts of a comparison. */
export interface Voices {
  readonly kernel: boolean;
  readonly importer: boolean;
  /** Whether the calls are exported, for onnxruntime to run. */
  readonly exporter: boolean;
  /** The number of calls that are also imported one by one with inputs of any size. */
  readonly free: number;
  /** The version of the operator set. Default: a recent one. */
  readonly opset?: number;
}

/** The counts of comparisons, and the differences. */
export interface Outcome {
  readonly instances: number;
  /** The number of calls with inputs of any size that were imported, and not refused. */
  readonly free: number;
  readonly differences: ReadonlyArray<string>;
}

/**
 * Compares `count` random calls of an operator in one model. The importer reads the same bytes.
 */
export async function compareOperator(
  name: string,
  mapping: Mapping,
  count: number,
  seed: number,
  voices: Voices,
): Promise<Outcome> {
  const draw = makeDraw((seed ^ fnv1a32(name)) >>> 0);
  const graph = makeGraph();
  const cases = Array.from({ length: count }, () => mapping(draw, graph));
  const outputs = cases.map((c) => namedOutputs(c, graph));
  const parts = { ...graph.parts(outputs.flat()), opset: voices.opset };
  const bytes = modelBytes(parts);
  // For a pool that rounds up, onnxruntime infers another size than it computes.
  const wanted = await runElsewhere(modelBytes({ ...parts, isFree: true }), parts);
  const imported = voices.importer ? runImported(bytes, parts) : undefined;
  let free = 0;
  const exported = voices.exporter ? await runExported(name, cases) : undefined;
  const differences = cases.flatMap((c, i) => {
    const names = outputs[i] ?? [];
    const expected = names.map((output) => wanted.get(output) as Tensor);
    const out = exported?.[i];
    const fourth =
      out === undefined
        ? undefined
        : typeof out === 'string'
          ? out
          : differenceOf(out, expected, c);
    const own = voices.kernel ? differenceOf(kernelResult(name, c), expected, c) : undefined;
    const other =
      imported === undefined
        ? undefined
        : differenceOf(
            names.map((output) => imported.get(output) as Tensor),
            expected,
            c,
          );
    const unsized = i < voices.free ? runFree(freePart(parts, names)) : undefined;
    if (unsized?._tag === 'Ran') free++;
    const third = unsized === undefined ? undefined : freeDifference(unsized, expected, c);
    return [
      ...(fourth === undefined ? [] : [`${describe(name, c, i)}, exported: ${fourth}`]),
      ...(own === undefined ? [] : [`${describe(name, c, i)}: ${own}`]),
      ...(other === undefined ? [] : [`${describe(name, c, i)}, imported: ${other}`]),
      ...(third === undefined ? [] : [`${describe(name, c, i)}, of any size: ${third}`]),
    ];
  });
  return { instances: cases.length, free, differences };
}

/** The results of the exported calls in onnxruntime, or the reasons why one is not exported. */
async function runExported(
  name: string,
  cases: ReadonlyArray<Case>,
): Promise<ReadonlyArray<ReadonlyArray<Tensor> | string>> {
  const calls = cases.map((c) => callOf(name, c));
  const file = exportedCalls(calls);
  if (isLeft(file)) return calls.map((one) => refusalOf(exportedCalls([one])));
  const feeds = calls.flatMap((one) => one.values);
  const inputs = new Map(feeds.map((value, i) => [`x${i}`, value]));
  const found = [...(await runElsewhere(file.right, { inputs })).values()];
  return calls.map((one) => found.splice(0, one.results));
}

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

/** Operators with shapes or bounds as arguments, which have to be known. */
const CONSTANT_INPUTS: ReadonlySet<string> = new Set([
  'collapse_sum_to',
  'strided_set',
  'unravel_index',
]);

function callOf(name: string, c: Case): ExportedCall {
  const params: Var[] = [];
  const values: Tensor[] = [];
  const argOf = (arg: OpValue, index = 0): Expr => {
    if (!isTensor(arg)) return tuple(arg.map((field) => argOf(field)));
    if (index > 0 && CONSTANT_INPUTS.has(name) && isInteger(arg.dtype)) return constant(arg);
    const param = variable(`x${params.length}`, tensorType(arg.shape, arg.dtype));
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
const namedOutputs = (c: Case, graph: OnnxGraph): ReadonlyArray<string> =>
  (typeof c.result === 'string' ? [c.result] : c.result).map((name) =>
    graph.node('Identity', [name]),
  );

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
  c: Case,
): string | undefined {
  for (const [i, expected] of wanted.entries()) {
    const value = found[i];
    const differs =
      value === undefined
        ? 'no such result'
        : difference(value, expected, c.ulps ?? 0, c.scale ?? 0);
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

/** The result for a graph whose inputs have any size. */
type FreeRun =
  | { readonly _tag: 'Ran'; readonly results: ReadonlyArray<Tensor> }
  | { readonly _tag: 'Refused'; readonly diagnostics: Diagnostics }
  | { readonly _tag: 'Failed'; readonly diagnostics: Diagnostics };

function runFree(parts: GraphParts): FreeRun {
  const m = importOnnx(modelBytes(parts), { ops: standardOps });
  if (isLeft(m)) return { _tag: 'Refused', diagnostics: m.left };
  const value = evaluate(m.right, [...parts.inputs.values()]);
  if (isLeft(value)) return { _tag: 'Failed', diagnostics: value.left };
  const results = byName(parts, value.right);
  return { _tag: 'Ran', results: parts.outputs.map((name) => results.get(name) as Tensor) };
}

/** A graph may be refused only for sizes that are not known. */
function freeDifference(run: FreeRun, expected: ReadonlyArray<Tensor>, c: Case) {
  if (run._tag === 'Ran') return differenceOf(run.results, expected, c);
  const isFair = run._tag === 'Refused' && run.diagnostics.every((d) => REFUSALS.has(d.code));
  return isFair ? undefined : run.diagnostics.map((d) => `${d.code}: ${d.message}`).join('; ');
}

const REFUSALS: ReadonlySet<string> = new Set(['ONNX_NOT_CONSTANT']);

function runImported(bytes: Uint8Array, parts: GraphParts): ReadonlyMap<string, Tensor> {
  const m = orThrow(importOnnx(bytes, { ops: standardOps }));
  return byName(parts, orThrow(evaluate(m, [...parts.inputs.values()])));
}

function byName(parts: GraphParts, value: Value): ReadonlyMap<string, Tensor> {
  const fields = value._tag === 'Tuple' ? value.fields : [value];
  return new Map(
    parts.outputs.flatMap((name, i) => {
      const field = fields[i];
      return field?._tag === 'Tensor' ? [[name, field] as const] : [];
    }),
  );
}
