/** A run of a program by the reference executor, with the time of each operator. */

import { isLeft, right } from '@baton/base';
import { diagnostic, evaluate, fail, type IRModule, type Result, type Tensor } from 'batonjs';
import { tensorsOf } from './compare-outputs.ts';
import { type KernelRun, watched } from './profile.ts';
import type { Tracer } from './trace.ts';

/** One run of a program. */
export interface Run {
  readonly ms: number;
  readonly outputs: ReadonlyArray<Tensor>;
  readonly kernels: ReadonlyArray<KernelRun>;
}

/** A program that takes less than this is run again, until so much time has passed. */
const SHORT_MS = 500;

const MAX_RUNS = 10;

/**
 * The fastest run of a program: a long one is run once, a short one up to ten times, since the
 * first runs are slower. `what` names it in the trace.
 */
export function timedRun(
  m: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
  what: string,
  tracer: Tracer,
): Result<Run> {
  const first = runOnce(m, inputs, what, tracer);
  if (isLeft(first)) return first;
  let best = first.right;
  let spent = best.ms;
  for (let count = 1; count < MAX_RUNS && spent < SHORT_MS; count++) {
    const again = runOnce(m, inputs, what, tracer);
    if (isLeft(again)) return again;
    spent += again.right.ms;
    if (again.right.ms < best.ms) best = again.right;
  }
  return right(best);
}

function runOnce(
  m: IRModule,
  inputs: Readonly<Record<string, Tensor>>,
  what: string,
  tracer: Tracer,
): Result<Run> {
  const kernels: KernelRun[] = [];
  const program = watched(m, tracer.now, (run) => kernels.push(run));
  const start = tracer.now();
  const value = evaluate(program, inputs);
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
