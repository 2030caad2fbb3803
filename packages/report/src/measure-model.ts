/**
 * The report on one model: read, infer, optimize at each level, fuse, run, compare. Every program
 * runs fused, also the original, for a fair comparison.
 */

import { isLeft, right } from '@baton/base';
import { makeTextTable } from '@baton/drawing';
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
import { type Engines, enginesOn } from './engines.ts';
import { si } from './figures.ts';
import { levelRow, type Times, type TimingOptions, timesOf, variantOf } from './level-times.ts';
import { type Earlier, fuseAsItIs, type Optimized, observeAt, optimizeAt } from './optimize-at.ts';
import { type OtherVariant, otherVariants } from './other-variants.ts';
import type { Check, PageModel } from './page/data.ts';
import { pageModel } from './page-model.ts';
import { passObserver } from './passes/observe.ts';
import { profileOf } from './profile.ts';
import { MAX_REGIME_FLOPS, regimeChecks, regimesLeftOut } from './regimes.ts';
import type { RunProgramOptions } from './run-program.ts';
import type { ModelReport, PassRow } from './schema.ts';
import type { Loaded, Progress, Subject } from './subject.ts';
import { variantRows } from './variant-rows.ts';
import { LEVELS, levelOf, variantAt } from './variants.ts';

export interface MeasureOptions extends TimingOptions, RunProgramOptions {
  readonly level: number;
  /** Whether the regimes of equivalence are checked on models of any size. */
  readonly regimes: boolean;
  readonly checks?: ReadonlyArray<Check>;
  readonly progress: Progress;
  /** Whether passes become slices of the trace, whose node counts take some time. */
  readonly traced: boolean;
  /** Instruments for one run of the passes of the highest level, which is not timed. */
  readonly instruments: ReadonlyArray<Instrument>;
}

export interface MeasuredModel {
  readonly report: ModelReport;
  readonly page: PageModel;
  readonly passes: ReadonlyArray<PassReport>;
}

export async function measureModel(
  subject: Subject,
  options: MeasureOptions,
): Promise<Result<MeasuredModel>> {
  options.tracer.startRow(subject.name);
  const read = await readSubject(subject, options);
  if (isLeft(read)) return read;
  const optimized = optimizedAtLevels(subject.name, read.right, options);
  if (isLeft(optimized)) return optimized;
  options.progress.step(`${subject.name}: measuring`);
  const { base, levels, best } = optimized.right;
  options.progress.step(`${subject.name}: rewriting by rules`);
  const engines = enginesOn(best, options);
  if (isLeft(engines)) return engines;
  options.progress.step(`${subject.name}: running`);
  const { inputs } = read.right;
  const others = otherVariants({ base, best, found: engines.right.found }, inputs, options);
  if (isLeft(others)) return others;
  // Processes prepare their programs while this one compares.
  const timing = timesOf(base, levels, others.right, options);
  const regimes = regimesOf(read.right.module, best.level, options);
  const times = await timing;
  const measured = {
    ...{ read: read.right, ...optimized.right, regimes },
    ...{ engines: engines.right.rows, others: others.right, times },
  };
  const report = await modelReport(subject, measured, options);
  options.progress.step(`${subject.name}: drawing`);
  const page = pageOf(report, measured, options);
  return isLeft(page)
    ? page
    : right({ report, page: page.right, passes: [best.report, best.fuseReport] });
}

interface Read {
  readonly module: IRModule;
  readonly inputs: Loaded['inputs'];
  readonly importMs: number;
  readonly weightsMs: number;
  readonly inferMs: number;
}

async function readSubject(
  { name, load }: Subject,
  { progress, tracer, limits = {} }: MeasureOptions,
): Promise<Result<Read>> {
  const { now } = tracer;
  progress.step(`${name}: reading`);
  const start = now();
  const loaded = await load();
  if (isLeft(loaded)) return loaded;
  const loadedAt = now();
  tracer.slice('phase', 'read', start, loadedAt);
  const typed = inferTypes(loaded.right.module, { limits });
  if (isLeft(typed)) return typed;
  const inferMs = now() - loadedAt;
  tracer.slice('phase', 'infer types', loadedAt, loadedAt + inferMs);
  const { inputs, weightsMs } = loaded.right;
  const importMs = loadedAt - start - weightsMs;
  return right({ module: typed.right, inputs, importMs, weightsMs, inferMs });
}

interface Levels {
  readonly base: Earlier;
  readonly levels: ReadonlyArray<Optimized>;
  readonly best: Optimized;
}

function optimizedAtLevels(
  name: string,
  { module, inputs }: Read,
  options: MeasureOptions,
): Result<Levels> {
  const { progress, runs } = options;
  progress.step(`${name}: ${runs ? 'running' : 'fusing'} as it is`);
  const base = fuseAsItIs(module, inputs, options);
  if (isLeft(base)) return base;
  const levels: Optimized[] = [];
  const earlier: [Earlier, ...Earlier[]] = [base.right];
  for (const level of LEVELS.filter((l) => l <= options.level)) {
    progress.step(`${name}: optimizing at level ${level}${runs ? ' and running' : ''}`);
    const optimized = optimizeAt(level, module, inputs, earlier, options);
    if (isLeft(optimized)) return optimized;
    levels.push(optimized.right);
    if (optimized.right.sameAs === undefined) {
      earlier.push({ ...optimized.right, name: variantAt(level) });
    }
  }
  const best = levels.at(-1);
  return best === undefined
    ? fail(diagnostic('BENCH_LEVEL', `level ${options.level} is not one of 0, 1, 2, 3`))
    : right({ base: base.right, levels, best });
}

interface Measured extends Levels {
  readonly read: Read;
  readonly engines: Engines['rows'];
  readonly others: ReadonlyArray<OtherVariant>;
  readonly regimes: ReadonlyArray<Check>;
  readonly times: Times;
}

async function modelReport(
  { name, expected }: Subject,
  { read, base, levels, best, engines, others, times }: Measured,
  { runs }: MeasureOptions,
): Promise<ModelReport> {
  const { importMs, weightsMs, inferMs } = read;
  const before = measureModule(read.module);
  const after = measureModule(best.optimized);
  const rows = levels.map((level) => levelRow(level, times));
  const bestRow = levelRow(best, times);
  const baseRun = times.runOf(base.name)?.timed;
  const figures = {
    nodes: { before: before.nodes, after: best.nodes },
    kernels: { before: base.measure.kernels, after: best.measure.kernels },
    flops: { before: base.measure.flops, after: best.measure.flops },
    bytesMoved: { before: base.measure.bytesMoved, after: best.measure.bytesMoved },
    paramBytes: { before: before.paramBytes, after: after.paramBytes },
    run:
      baseRun === undefined || bestRow.run === null
        ? null
        : { before: baseRun, after: bestRow.run },
  };
  const wanted = await expected?.();
  return {
    name,
    nodes: figures.nodes,
    kernels: figures.kernels,
    byOp: after.byOp,
    byOpBefore: before.byOp,
    flops: figures.flops,
    paramBytes: figures.paramBytes,
    activationBytes: after.activationBytes,
    bytesMoved: figures.bytesMoved,
    importMs,
    weightsMs,
    inferMs,
    optimize: bestRow.optimize,
    run: figures.run,
    ...changesOf(figures),
    passes: passRows(best.report),
    variants: variantRows(base, levels, others, times),
    levels: rows,
    engines,
    maxAbsError: bestRow.maxAbsError,
    maxRelError: bestRow.maxRelError,
    equivalent: runs ? rows.every((row) => row.equivalent === true) : null,
    golden:
      wanted === undefined || base.run === undefined || best.run === undefined
        ? null
        : golden(base.run.outputs, best.run.outputs, wanted.output, wanted.tolerance),
  };
}

function pageOf(
  report: ModelReport,
  { read, base, best, regimes, times }: Measured,
  options: MeasureOptions,
): Result<PageModel> {
  const { module } = read;
  const texts = makeTextTable();
  const observer = passObserver(texts);
  const observed = observeAt(best.level, module, [observer, ...options.instruments]);
  if (isLeft(observed)) return observed;
  return right(
    pageModel({
      report,
      base: { module, measure: base.measure },
      best,
      profile: profileOf(times.runOf(base.name), times.runOf(variantOf(best)), module),
      regimes: [...regimes, ...(options.checks ?? [])],
      steps: observer.steps([...passesRun(best.report), ...passesRun(best.fuseReport)]),
      texts,
    }),
  );
}

/** The regimes, if they are affordable or requested. */
function regimesOf(
  m: IRModule,
  level: number,
  { runs, regimes, progress, executor }: MeasureOptions,
): ReadonlyArray<Check> {
  if (!runs) return regimesLeftOut('programs were not run');
  const { flops } = measureModule(m);
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
