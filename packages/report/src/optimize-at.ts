/** A program at one level of optimization. */
import { isLeft, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import { countNodes, type ModuleMeasure } from '@baton/ops';
import { countOperatorCalls } from '@baton/pass-manager';
import type { Comparison } from '@baton/tensor';
import {
  type Arguments,
  type Instrument,
  type IRModule,
  measureModule,
  optimize,
  type PassReport,
  type Result,
  runPass,
} from 'batonjs';
import { worst } from './compare-outputs.ts';
import { fuse } from './fuse.ts';
import { type Run, type RunProgramOptions, runOnce } from './run-program.ts';
import { type Level, labelOf, type VariantName, variantAt } from './variants.ts';

/** A relative error up to this counts as a rounding difference of float32 due to folding. */
export const EQUIVALENT_RELATIVE_ERROR = 1e-4;

export interface Fused {
  readonly module: IRModule;
  readonly fuseReport: PassReport;
  readonly measure: ModuleMeasure;
}

export interface Optimized extends Fused {
  readonly level: Level;
  readonly optimized: IRModule;
  readonly nodes: number;
  readonly report: PassReport;
  /** The time of this one optimization, and of fusing. */
  readonly ms: number;
  readonly fuseMs: number;
  readonly sameAs: VariantName | undefined;
  readonly run: Run | undefined;
  /** The error relative to the run of the original program. */
  readonly error: Pick<Comparison, 'maxAbsError' | 'maxRelError'> | undefined;
}

export interface Earlier extends Fused {
  readonly name: VariantName;
  readonly optimized: IRModule;
  readonly run: Run | undefined;
}

export function fuseAsItIs(
  module: IRModule,
  inputs: Arguments,
  options: RunProgramOptions & { readonly runs: boolean },
): Result<Earlier> {
  const fused = fuse(module, { limits: options.limits ?? {} });
  if (isLeft(fused)) return fused;
  const run = options.runs
    ? runOnce(fused.right.module, inputs, labelOf('fused'), options)
    : right(undefined);
  if (isLeft(run)) return run;
  return right({
    name: 'fused',
    optimized: module,
    module: fused.right.module,
    fuseReport: fused.right.report,
    measure: measureModule(fused.right.module),
    run: run.right,
  });
}

/** Optimizes, fuses and runs on `inputs`, unless the result equals an `earlier` program. */
export function optimizeAt(
  level: Level,
  module: IRModule,
  inputs: Arguments,
  earlier: readonly [Earlier, ...Earlier[]],
  options: RunProgramOptions & { readonly traced: boolean },
): Result<Optimized> {
  const { tracer, traced, limits = {} } = options;
  const { now } = tracer;
  const instruments = traced ? [tracer.instrument(countNodes)] : [];
  const context = { now, countNodes, instruments, limits };
  // Fusion hides biases from `countNodes`: they become parameters of a kernel.
  const fuseContext = {
    now,
    countNodes: countOperatorCalls,
    instruments: traced ? [tracer.instrument()] : [],
    limits,
  };
  const start = now();
  const result = runPass(optimize({ level }), context)(module);
  if (isLeft(result)) return result;
  const ms = now() - start;
  const optimized = result.right.module;
  const fusing = now();
  const fused = fuse(optimized, fuseContext);
  if (isLeft(fused)) return fused;
  const fuseMs = now() - fusing;
  tracer.slice('phase', `optimize at level ${level}`, start, fusing + fuseMs);
  const [base] = earlier;
  const same = earlier.find((e) => structuralEqual(e.optimized, optimized));
  const ran =
    base.run === undefined || same !== undefined
      ? right(same?.run)
      : runOnce(fused.right.module, inputs, `at ${labelOf(variantAt(level))}`, options);
  if (isLeft(ran)) return ran;
  const run = ran.right;
  return right({
    level,
    optimized,
    nodes: countNodes(optimized),
    module: fused.right.module,
    report: result.right.report,
    fuseReport: fused.right.report,
    measure: measureModule(fused.right.module),
    ms,
    fuseMs,
    sameAs: same?.name,
    run,
    error: base.run && run && worst(run.outputs, base.run.outputs),
  });
}

export function observeAt(
  level: Level,
  module: IRModule,
  instruments: ReadonlyArray<Instrument>,
): Result<IRModule> {
  const context = { instruments, countNodes: () => 0 };
  const optimized = runPass(optimize({ level }), context)(module);
  if (isLeft(optimized)) return optimized;
  const fused = fuse(optimized.right.module, context);
  return isLeft(fused) ? fused : right(fused.right.module);
}
