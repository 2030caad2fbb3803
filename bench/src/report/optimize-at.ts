/** A program at one level of optimization. */
import { isLeft, right } from '@baton/base';
import { countNodes } from '@baton/ops';
import { countOperatorCalls } from '@baton/pass-manager';
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
import { type Run, timedRun } from './run-program.ts';
import type { LevelRow } from './schema.ts';
import type { Tracer } from './trace.ts';

/** A relative error up to this counts as the rounding of float32 that folding changes. */
export const EQUIVALENT_RELATIVE_ERROR = 1e-4;

/** A level of optimization. */
export type Level = 0 | 1 | 2 | 3;

/** Every level. */
export const LEVELS: ReadonlyArray<Level> = [0, 1, 2, 3];

/** The level of this number; 0 for a number that is none. */
export const levelOf = (level: number): Level => LEVELS.find((l) => l === level) ?? 0;

/** A program at one level of optimization. */
export interface Optimized {
  readonly row: LevelRow;
  readonly flops: number;
  readonly module: IRModule;
  readonly fused: IRModule;
  readonly report: PassReport;
  readonly fuseReport: PassReport;
  readonly run: Run | undefined;
}

/** Optimizes and fuses, timed; runs the result on `inputs` and compares it with `base`, if given. */
export function optimizeAt(
  level: Level,
  module: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
  base: Run | undefined,
  { tracer, traced }: { readonly tracer: Tracer; readonly traced: boolean },
): Result<Optimized> {
  const { now } = tracer;
  const context = { now, countNodes, instruments: traced ? [tracer.instrument(countNodes)] : [] };
  // Fusing hides biases from `countNodes`: parameters of a kernel are no constants.
  const fuseContext = {
    now,
    level,
    countNodes: countOperatorCalls,
    instruments: traced ? [tracer.instrument()] : [],
  };
  const start = now();
  const result = runPass(optimize({ level }), context)(module);
  if (isLeft(result)) return result;
  const ms = now() - start;
  const optimized = result.right.module;
  const fusing = now();
  const fused = runPass(passes.fuseOps, fuseContext)(optimized);
  if (isLeft(fused)) return fused;
  const fuseMs = now() - fusing;
  tracer.slice('phase', `optimize at level ${level}`, start, fusing + fuseMs);
  const ran =
    base === undefined
      ? right(undefined)
      : timedRun(fused.right.module, inputs, `at level ${level}`, tracer);
  if (isLeft(ran)) return ran;
  const run = ran.right;
  const { kernels, bytesMoved, flops } = measureModule(fused.right.module);
  const error =
    base === undefined || run === undefined ? undefined : worst(run.outputs, base.outputs);
  return right({
    module: optimized,
    fused: fused.right.module,
    report: result.right.report,
    fuseReport: fused.right.report,
    run,
    flops,
    row: {
      level,
      ms,
      fuseMs,
      nodes: countNodes(optimized),
      kernels,
      bytesMoved,
      runMs: run?.ms ?? null,
      maxAbsError: error?.maxAbsError ?? null,
      maxRelError: error?.maxRelError ?? null,
      equivalent: error === undefined ? null : error.maxRelError <= EQUIVALENT_RELATIVE_ERROR,
    },
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
  const fused = runPass(passes.fuseOps, { ...context, level })(optimized.right.module);
  return isLeft(fused) ? fused : right(fused.right.module);
}
