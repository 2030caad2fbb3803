/**
 * The report on one model: read, infer, optimize at each level, fuse, run, compare. What runs is
 * fused, the program as it came too: like is compared with like.
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
import { changesOf } from './changes.ts';
import { golden } from './compare-outputs.ts';
import { makeTextTable } from './drawing/text-table.ts';
import { si } from './figures.ts';
import { levelRow, type TimingOptions, timesOf, variantOf } from './level-times.ts';
import {
  type Earlier,
  fuseAsItIs,
  LEVELS,
  levelOf,
  type Optimized,
  observeAt,
  optimizeAt,
} from './optimize-at.ts';
import type { Check, PageModel } from './page/data.ts';
import { pageModel } from './page-model.ts';
import { passObserver } from './passes/observe.ts';
import { profileOf } from './profile.ts';
import { MAX_REGIME_FLOPS, regimeChecks, regimesLeftOut } from './regimes.ts';
import type { RunProgramOptions } from './run-program.ts';
import type { ModelReport, PassRow } from './schema.ts';
import type { Progress, Subject } from './subject.ts';

/** What to do with a model. */
export interface MeasureOptions extends TimingOptions, RunProgramOptions {
  readonly level: number;
  /** Whether the regimes of equivalence are checked however large the model is. */
  readonly regimes: boolean;
  readonly progress: Progress;
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

  progress.step(`${name}: ${options.runs ? 'running' : 'fusing'} as it is`);
  const base = fuseAsItIs(typed.right, inputs, options);
  if (isLeft(base)) return base;

  const levels: Optimized[] = [];
  const earlier: [Earlier, ...Earlier[]] = [base.right];
  for (const level of LEVELS.filter((l) => l <= options.level)) {
    progress.step(`${name}: optimizing at level ${level}${options.runs ? ' and running' : ''}`);
    const optimized = optimizeAt(level, typed.right, inputs, earlier, options);
    if (isLeft(optimized)) return optimized;
    levels.push(optimized.right);
    if (optimized.right.sameAs === undefined) {
      earlier.push({ ...optimized.right, name: `level ${level}` });
    }
  }
  const best = levels[levels.length - 1];
  if (best === undefined) {
    return fail(diagnostic('BENCH_LEVEL', `level ${options.level} is not one of 0, 1, 2, 3`));
  }

  progress.step(`${name}: measuring`);
  const times = await timesOf(base.right, levels, options);
  const before = measureModule(typed.right);
  const after = measureModule(best.optimized);
  const expected = await subject.expected?.();
  const rows = levels.map((level) => levelRow(level, times));
  const bestRow = levelRow(best, times);
  const baseRun = times.runOf('as it is')?.timed;
  const figures = {
    nodes: { before: before.nodes, after: best.nodes },
    kernels: { before: base.right.measure.kernels, after: best.measure.kernels },
    flops: { before: base.right.measure.flops, after: best.measure.flops },
    bytesMoved: { before: base.right.measure.bytesMoved, after: best.measure.bytesMoved },
    paramBytes: { before: before.paramBytes, after: after.paramBytes },
    run:
      baseRun === undefined || bestRow.run === null
        ? null
        : { before: baseRun, after: bestRow.run },
  };
  const report: ModelReport = {
    name,
    nodes: figures.nodes,
    kernels: figures.kernels,
    byOp: after.byOp,
    byOpBefore: before.byOp,
    flops: figures.flops,
    paramBytes: figures.paramBytes,
    activationBytes: after.activationBytes,
    bytesMoved: figures.bytesMoved,
    importMs: loadedAt - start - weightsMs,
    weightsMs,
    inferMs,
    optimize: bestRow.optimize,
    run: figures.run,
    ...changesOf(figures),
    passes: passRows(best.report),
    levels: rows,
    maxAbsError: bestRow.maxAbsError,
    maxRelError: bestRow.maxRelError,
    equivalent: options.runs ? rows.every((row) => row.equivalent === true) : null,
    golden:
      expected === undefined || base.right.run === undefined || best.run === undefined
        ? null
        : golden(base.right.run.outputs, best.run.outputs, expected.output, expected.tolerance),
  };

  progress.step(`${name}: drawing`);
  const texts = makeTextTable();
  const observer = passObserver(texts);
  const instruments = [observer, ...options.instruments];
  const observed = observeAt(options.level, typed.right, instruments);
  if (isLeft(observed)) return observed;
  const page = pageModel({
    report,
    base: { module: typed.right, measure: base.right.measure },
    best,
    profile: profileOf(times.runOf('as it is'), times.runOf(variantOf(best)), typed.right),
    regimes: regimesOf(typed.right, before.flops, best.level, options),
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
  { runs, regimes, progress, executor }: MeasureOptions,
): ReadonlyArray<Check> {
  if (!runs) return regimesLeftOut('runs were left out');
  if (!regimes && flops > MAX_REGIME_FLOPS) {
    return regimesLeftOut(`a run takes ${si(flops)} operations: ask for it with --regimes`);
  }
  progress.step('checking equivalence in every regime');
  return regimeChecks(m, levelOf(level), executor);
}

const passRows = (report: PassReport): ReadonlyArray<PassRow> =>
  passesRun(report).map(({ name, ms, nodesBefore, nodesAfter }) => ({
    name,
    ms,
    nodesBefore,
    nodesAfter,
  }));
