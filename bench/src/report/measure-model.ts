/**
 * The report on one model: read, infer, optimize at each level, fuse, run, compare. What runs is
 * the fused program, so that the comparison covers fusion as well.
 */

import { isLeft, right } from '@baton/base';
import {
  diagnostic,
  fail,
  type Instrument,
  type IRModule,
  inferTypes,
  measureModule,
  type PassReport,
  passesRun,
  type Result,
} from 'batonjs';
import type { Progress } from '../progress.ts';
import type { Subject } from '../subjects/subject.ts';
import { si } from '../table.ts';
import { golden } from './compare-outputs.ts';
import { makeTextTable } from './drawing/text-table.ts';
import { LEVELS, levelOf, type Optimized, observeAt, optimizeAt } from './optimize-at.ts';
import type { Check, PageModel } from './page/data.ts';
import { pageModel } from './page-model.ts';
import { passObserver } from './passes/observe.ts';
import { MAX_REGIME_FLOPS, regimeChecks, regimesLeftOut } from './regimes.ts';
import { timedRun } from './run-program.ts';
import type { ModelReport, PassRow } from './schema.ts';
import type { Tracer } from './trace.ts';

/** What to do with a model. */
export interface MeasureOptions {
  readonly level: number;
  /** Whether the programs are run; without, nothing is said of what they compute. */
  readonly runs: boolean;
  /** Whether the regimes of equivalence are checked however large the model is. */
  readonly regimes: boolean;
  readonly progress: Progress;
  readonly tracer: Tracer;
  /** Whether passes become slices of the trace: counting nodes for it takes a little time. */
  readonly traced: boolean;
  /** Watch one run of the passes of the highest level, which is not timed. */
  readonly instruments: ReadonlyArray<Instrument>;
}

/** What is known of a model at the end. */
export interface MeasuredModel {
  /** For `report.json`. */
  readonly report: ModelReport;
  readonly page: PageModel;
  /** What the passes of the highest level did, then what fusion did. */
  readonly passes: ReadonlyArray<PassReport>;
}

/** Measures one model at the levels up to `options.level`. */
export async function measureModel(
  subject: Subject,
  options: MeasureOptions,
): Promise<Result<MeasuredModel>> {
  const { progress, tracer } = options;
  const { name } = subject;
  const { now } = tracer;
  tracer.startRow(name);
  progress.step(`${name}: reading`);
  const start = now();
  const loaded = await subject.load();
  if (isLeft(loaded)) return loaded;
  const { module, inputs, weightsMs } = loaded.right;
  const loadedAt = now();
  tracer.slice('phase', 'read', start, loadedAt);

  const typed = inferTypes(module);
  if (isLeft(typed)) return typed;
  const inferMs = now() - loadedAt;
  tracer.slice('phase', 'infer types', loadedAt, loadedAt + inferMs);

  progress.step(`${name}: running as it is`);
  const base = options.runs ? timedRun(typed.right, inputs, 'as it is', tracer) : right(undefined);
  if (isLeft(base)) return base;

  const levels: Optimized[] = [];
  for (const level of LEVELS.filter((l) => l <= options.level)) {
    progress.step(`${name}: optimizing at level ${level}${options.runs ? ' and running' : ''}`);
    const optimized = optimizeAt(level, typed.right, inputs, base.right, options);
    if (isLeft(optimized)) return optimized;
    levels.push(optimized.right);
  }
  const best = levels[levels.length - 1];
  if (best === undefined) {
    return fail(diagnostic('BENCH_LEVEL', `level ${options.level} is not one of 0, 1, 2, 3`));
  }

  const before = measureModule(typed.right);
  const after = measureModule(best.module);
  const expected = await subject.expected?.();
  const report: ModelReport = {
    name,
    nodes: { before: before.nodes, after: after.nodes },
    kernels: { before: before.kernels, after: best.row.kernels },
    byOp: after.byOp,
    byOpBefore: before.byOp,
    flops: after.flops,
    paramBytes: after.paramBytes,
    activationBytes: after.activationBytes,
    importMs: loadedAt - start - weightsMs,
    weightsMs,
    inferMs,
    optimizeMs: best.row.ms,
    bytesMoved: { before: before.bytesMoved, after: best.row.bytesMoved },
    runMs:
      base.right === undefined || best.row.runMs === null
        ? null
        : { before: base.right.ms, after: best.row.runMs },
    passes: passRows(best.report),
    levels: levels.map((l) => l.row),
    maxAbsError: best.row.maxAbsError,
    maxRelError: best.row.maxRelError,
    equivalent: options.runs ? levels.every((l) => l.row.equivalent === true) : null,
    golden:
      expected === undefined || base.right === undefined || best.run === undefined
        ? null
        : golden(base.right.outputs, best.run.outputs, expected.output, expected.tolerance),
  };

  progress.step(`${name}: drawing`);
  const texts = makeTextTable();
  const observer = passObserver(texts);
  const instruments = [observer, ...options.instruments];
  const observed = observeAt(options.level, typed.right, instruments);
  if (isLeft(observed)) return observed;
  const page = pageModel({
    report,
    base: { module: typed.right, measure: before, run: base.right },
    levels,
    best,
    regimes: regimesOf(typed.right, before.flops, best.row.level, options),
    steps: observer.steps([...passesRun(best.report), ...passesRun(best.fuseReport)]),
    texts,
  });
  return right({ report, page, passes: [best.report, best.fuseReport] });
}

/** The regimes, where they are affordable or asked for. */
function regimesOf(
  m: IRModule,
  flops: number,
  level: number,
  { runs, regimes, progress }: MeasureOptions,
): ReadonlyArray<Check> {
  if (!runs) return regimesLeftOut('runs were left out');
  if (!regimes && flops > MAX_REGIME_FLOPS) {
    return regimesLeftOut(`a run takes ${si(flops)} operations: ask for it with --regimes`);
  }
  progress.step('checking equivalence in every regime');
  return regimeChecks(m, levelOf(level));
}

const passRows = (report: PassReport): ReadonlyArray<PassRow> =>
  passesRun(report).map(({ name, ms, nodesBefore, nodesAfter }) => ({
    name,
    ms,
    nodesBefore,
    nodesAfter,
  }));
