/** A program at one level of optimization. */
import { isLeft, right } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import { countNodes, type ModuleMeasure } from '@baton/ops';
import { countOperatorCalls, type PassContextParts } from '@baton/pass-manager';
import type { Comparison } from '@baton/tensor';
import {
  type Instrument,
  type IRModule,
  measureModule,
  optimize,
  type PassReport,
  passes,
  type Result,
  runPass,
  type Tensor,
} from 'batonjs';
import { worst } from './compare-outputs.ts';
import { type Run, type RunProgramOptions, runOnce } from './run-program.ts';
import type { VariantName } from './variants.ts';

/** A relative error up to this counts as the rounding of float32 that folding changes. */
export const EQUIVALENT_RELATIVE_ERROR = 1e-4;

/** A level of optimization. */
export type Level = 0 | 1 | 2 | 3;

/** Every level. */
export const LEVELS: ReadonlyArray<Level> = [0, 1, 2, 3];

/** The level of this number; 0 for a number that is none. */
export const levelOf = (level: number): Level => LEVELS.find((l) => l === level) ?? 0;

/** A fused program, and what it costs. */
export interface Fused {
  readonly module: IRModule;
  readonly fuseReport: PassReport;
  readonly measure: ModuleMeasure;
}

/** A program at one level of optimization. */
export interface Optimized extends Fused {
  readonly level: Level;
  /** Before fusion. */
  readonly optimized: IRModule;
  readonly nodes: number;
  readonly report: PassReport;
  /** Of this one optimization, and of fusing. */
  readonly ms: number;
  readonly fuseMs: number;
  /** The lowest level with the same program, if not this one; `as it is` for what came. */
  readonly sameAs: VariantName | undefined;
  readonly run: Run | undefined;
  /** Against the run of the program as it came. */
  readonly error: Pick<Comparison, 'maxAbsError' | 'maxRelError'> | undefined;
}

/** Fuses a program: every variant in the same way, whatever its level. */
export const fuse = (
  module: IRModule,
  context: PassContextParts = {},
): Result<{ readonly module: IRModule; readonly report: PassReport }> =>
  runPass(passes.fuseOps, { ...context, level: FUSION_LEVEL })(module);

const FUSION_LEVEL = 3;

/** The program as it came, or a level. */
export interface Earlier extends Fused {
  readonly name: VariantName;
  readonly optimized: IRModule;
  readonly run: Run | undefined;
}

/** Fuses the program as it came, and runs it. */
export function fuseAsItIs(
  module: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
  options: RunProgramOptions & { readonly runs: boolean },
): Result<Earlier> {
  const fused = fuse(module);
  if (isLeft(fused)) return fused;
  const run = options.runs
    ? runOnce(fused.right.module, inputs, 'as it is', options)
    : right(undefined);
  if (isLeft(run)) return run;
  return right({
    name: 'as it is',
    optimized: module,
    module: fused.right.module,
    fuseReport: fused.right.report,
    measure: measureModule(fused.right.module),
    run: run.right,
  });
}

/**
 * Optimizes and fuses, runs the result on `inputs`, and compares it with the first of the `earlier`
 * programs, if that was run. A program that one of them is already is not run again.
 */
export function optimizeAt(
  level: Level,
  module: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
  earlier: readonly [Earlier, ...Earlier[]],
  options: RunProgramOptions & { readonly traced: boolean },
): Result<Optimized> {
  const { tracer, traced } = options;
  const { now } = tracer;
  const context = { now, countNodes, instruments: traced ? [tracer.instrument(countNodes)] : [] };
  // Fusing hides biases from `countNodes`: parameters of a kernel are no constants.
  const fuseContext = {
    now,
    countNodes: countOperatorCalls,
    instruments: traced ? [tracer.instrument()] : [],
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
      : runOnce(fused.right.module, inputs, `at level ${level}`, options);
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

/** Runs the passes of a level once more, watched. */
export function observeAt(
  level: number,
  module: IRModule,
  instruments: ReadonlyArray<Instrument>,
): Result<IRModule> {
  const context = { instruments, countNodes: () => 0 };
  const optimized = runPass(optimize({ level: levelOf(level) }), context)(module);
  if (isLeft(optimized)) return optimized;
  const fused = fuse(optimized.right.module, context);
  return isLeft(fused) ? fused : right(fused.right.module);
}
