/** A run of a program. */

import { isLeft, type Limits, right } from '@baton/base';
import {
  type Arguments,
  diagnostic,
  type Executor,
  evaluate,
  fail,
  type IRModule,
  type Result,
  type Tensor,
} from 'batonjs';
import { tensorsOf } from './compare-outputs.ts';
import { type KernelRun, watched } from './profile.ts';
import type { Tracer } from './trace.ts';

/** One run of a program: its result, and its time, which is no measurement. */
export interface Run {
  readonly ms: number;
  readonly outputs: ReadonlyArray<Tensor>;
  readonly kernels: ReadonlyArray<KernelRun>;
}

export interface RunProgramOptions {
  readonly tracer: Tracer;
  readonly executor: Executor;
  /** Limits on inference, passes and runs. */
  readonly limits?: Limits;
}

/** Runs a program for its result; `what` names the run in the trace. */
export function runOnce(
  m: IRModule,
  inputs: Arguments,
  what: string,
  { tracer, executor, limits }: RunProgramOptions,
): Result<Run> {
  const kernels: KernelRun[] = [];
  const program = watched(m, tracer.now, (run) => kernels.push(run));
  const start = tracer.now();
  const value = evaluate(program, inputs, { executor, ...limits });
  if (isLeft(value)) return value;
  const end = tracer.now();
  for (const run of kernels) tracer.slice('kernel', run.op, run.start, run.end);
  tracer.slice('phase', `run ${what}`, start, end);
  const outputs = tensorsOf(value.right);
  if (outputs.length === 0) {
    return fail(diagnostic('BENCH_OUTPUT', 'the model computes no tensor that could be compared'));
  }
  return right({ ms: end - start, outputs, kernels });
}
