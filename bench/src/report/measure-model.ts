/**
 * The report on one model: read, infer, optimize at each level, fuse, run, compare. What runs is
 * the fused program, so that the comparison covers fusion as well.
 */
import {
  allClose,
  type Comparison,
  compareTensors,
  countNodes,
  diagnostic,
  evaluate,
  fail,
  type IRModule,
  inferTypes,
  measureModule,
  optimize,
  type PassReport,
  passes,
  passesRun,
  type Result,
  reshapeView,
  runPass,
  type Tensor,
  type Tolerance,
  type Value,
} from 'baton';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import type { Progress } from '../progress.ts';
import type { Subject } from '../subjects/subject.ts';
import type { Golden, LevelRow, ModelReport, PassRow } from './schema.ts';

/** A relative error up to this counts as the rounding of float32 that folding changes. */
const EQUIVALENT_RELATIVE_ERROR = 1e-4;

type Level = 0 | 1 | 2 | 3;

const LEVELS: ReadonlyArray<Level> = [0, 1, 2, 3];

interface Optimized {
  readonly row: LevelRow;
  readonly module: IRModule;
  readonly report: PassReport;
  readonly outputs: ReadonlyArray<Tensor>;
}

/** Measures one model at the levels up to `maxLevel`. */
export async function measureModel(
  subject: Subject,
  maxLevel: number,
  progress: Progress,
): Promise<Result<ModelReport>> {
  const { name } = subject;
  progress.step(`${name}: reading`);
  const start = performance.now();
  const loaded = await subject.load();
  if (isLeft(loaded)) return loaded;
  const { module, inputs, weightsMs } = loaded.right;
  const importMs = performance.now() - start - weightsMs;

  const inferring = performance.now();
  const typed = inferTypes(module);
  if (isLeft(typed)) return typed;
  const inferMs = performance.now() - inferring;

  progress.step(`${name}: running as it is`);
  const base = timedRun(typed.right, inputs);
  if (isLeft(base)) return base;

  const levels: Optimized[] = [];
  for (const level of LEVELS.filter((l) => l <= maxLevel)) {
    progress.step(`${name}: optimizing at level ${level} and running`);
    const optimized = optimizeAt(level, typed.right, inputs, base.right.outputs);
    if (isLeft(optimized)) return optimized;
    levels.push(optimized.right);
  }
  const best = levels[levels.length - 1];
  if (best === undefined) {
    return fail(diagnostic('BENCH_LEVEL', `level ${maxLevel} is not one of 0, 1, 2, 3`));
  }

  const before = measureModule(typed.right);
  const after = measureModule(best.module);
  const expected = await subject.expected?.();
  return right({
    name,
    nodes: { before: before.nodes, after: after.nodes },
    kernels: { before: before.kernels, after: best.row.kernels },
    byOp: after.byOp,
    byOpBefore: before.byOp,
    flops: after.flops,
    paramBytes: after.paramBytes,
    activationBytes: after.activationBytes,
    importMs,
    weightsMs,
    inferMs,
    optimizeMs: best.row.ms,
    bytesMoved: { before: before.bytesMoved, after: best.row.bytesMoved },
    runMs: { before: base.right.ms, after: best.row.runMs },
    passes: passRows(best.report),
    levels: levels.map((l) => l.row),
    maxAbsError: best.row.maxAbsError,
    maxRelError: best.row.maxRelError,
    equivalent: levels.every((l) => l.row.equivalent),
    golden:
      expected === undefined
        ? null
        : golden(base.right.outputs, best.outputs, expected.output, expected.tolerance),
  });
}

function optimizeAt(
  level: Level,
  module: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
  reference: ReadonlyArray<Tensor>,
): Result<Optimized> {
  const start = performance.now();
  const result = runPass(optimize({ level }), { now: () => performance.now(), countNodes })(module);
  if (isLeft(result)) return result;
  const ms = performance.now() - start;
  const optimized = result.right.module;
  const fusing = performance.now();
  const fused = runPass(passes.fuseOps, { level })(optimized);
  if (isLeft(fused)) return fused;
  const fuseMs = performance.now() - fusing;
  const run = timedRun(fused.right.module, inputs);
  if (isLeft(run)) return run;
  const { kernels, bytesMoved } = measureModule(fused.right.module);
  const { maxAbsError, maxRelError } = worst(run.right.outputs, reference);
  return right({
    module: optimized,
    report: result.right.report,
    outputs: run.right.outputs,
    row: {
      level,
      ms,
      fuseMs,
      nodes: countNodes(optimized),
      kernels,
      bytesMoved,
      runMs: run.right.ms,
      maxAbsError,
      maxRelError,
      equivalent: maxRelError <= EQUIVALENT_RELATIVE_ERROR,
    },
  });
}

function timedRun(
  m: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
): Result<{ readonly ms: number; readonly outputs: ReadonlyArray<Tensor> }> {
  const start = performance.now();
  const value = evaluate(m, inputs);
  if (isLeft(value)) return value;
  const elapsed = performance.now() - start;
  const outputs = tensorsOf(value.right);
  if (outputs.length === 0) {
    return fail(diagnostic('BENCH_OUTPUT', 'the model computes no tensor that could be compared'));
  }
  return right({ ms: elapsed, outputs });
}

/** The tensors in a value, left to right. */
function tensorsOf(value: Value): ReadonlyArray<Tensor> {
  const found: Tensor[] = [];
  const pending: Value[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next?._tag === 'Tensor') found.push(next);
    else if (next?._tag === 'Tuple') pending.push(...[...next.fields].reverse());
  }
  return found;
}

function worst(
  found: ReadonlyArray<Tensor>,
  reference: ReadonlyArray<Tensor>,
): Pick<Comparison, 'maxAbsError' | 'maxRelError'> {
  const different = Number.POSITIVE_INFINITY;
  if (found.length !== reference.length) return { maxAbsError: different, maxRelError: different };
  let maxAbsError = 0;
  let maxRelError = 0;
  found.forEach((tensor, i) => {
    const other = reference[i] as Tensor;
    const sameShape = `${tensor.shape}` === `${other.shape}` && tensor.dtype === other.dtype;
    const { maxAbsError: abs, maxRelError: rel } = sameShape
      ? compareTensors(tensor, other)
      : { maxAbsError: different, maxRelError: different };
    maxAbsError = Math.max(maxAbsError, abs);
    maxRelError = Math.max(maxRelError, rel);
  });
  return { maxAbsError, maxRelError };
}

/** The expected output is a flat list: the first output, whatever its shape. */
function golden(
  before: ReadonlyArray<Tensor>,
  after: ReadonlyArray<Tensor>,
  expected: Tensor,
  tolerance: Tolerance,
): Golden {
  const check = ([output]: ReadonlyArray<Tensor>) => {
    const size = expected.shape[0] ?? 0;
    if (output === undefined || output.data.length !== size) {
      return { ok: false, maxError: Number.POSITIVE_INFINITY };
    }
    const flat = reshapeView(output, [size]);
    return {
      ok: allClose(flat, expected, tolerance),
      maxError: compareTensors(flat, expected).maxAbsError,
    };
  };
  const [first, last] = [check(before), check(after)];
  return {
    ok: first.ok && last.ok,
    maxError: Math.max(first.maxError, last.maxError),
    before: first,
    after: last,
    tolerance,
  };
}

const passRows = (report: PassReport): ReadonlyArray<PassRow> =>
  passesRun(report).map(({ name, ms, nodesBefore, nodesAfter }) => ({
    name,
    ms,
    nodesBefore,
    nodesAfter,
  }));
