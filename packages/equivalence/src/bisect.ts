/** Finds the pass at fault in a pipeline, by halves. */
import { fail, isLeft, isRight, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { type Pass, type PassContextParts, runPass } from '@baton/pass-manager';
import { makeBaseline } from './baseline.ts';
import { compareWithBaseline } from './check.ts';
import { nothingToBisect } from './diagnostics.ts';
import { optBisectLimit } from './instruments/opt-bisect.ts';
import type { EquivalenceOptions } from './regimes.ts';

/** How to bisect. */
export interface BisectOptions extends EquivalenceOptions {
  /** The context that the pipeline runs in; by default one in which every level is on. */
  readonly context?: PassContextParts;
  /**
   * Whether a result is bad, from the module after the passes that ran. By default: the pipeline
   * fails, or its result is not equivalent to the module.
   */
  readonly isBad?: (result: Result<IRModule>) => boolean;
}

/** The pass at fault. */
export interface Bisection {
  readonly pass: string;
  /** How many passes run before it. */
  readonly index: number;
  /** What it was given. */
  readonly before: IRModule;
  /** What it made of that, or why it failed. */
  readonly after: Result<IRModule>;
  /** How often the pipeline was run. */
  readonly runs: number;
}

/**
 * The first pass of a pipeline after which the result is bad.
 *
 * **Errors** `EQUIV_NO_FAULT` if the whole pipeline is good on this module; those of
 * {@link makeBaseline}.
 * **Complexity** O(log n) runs of a pipeline of n passes.
 */
export function bisect(
  pipeline: Pass,
  m: IRModule,
  options: BisectOptions = {},
): Result<Bisection> {
  const base = makeBaseline(m, options);
  if (isLeft(base)) return base;
  let runs = 0;
  const runUpTo = (limit: number, start: IRModule) => {
    const limiter = optBisectLimit(limit);
    const { instruments = [], ...rest } = options.context ?? { level: 9 };
    runs++;
    const result = runPass(pipeline, { ...rest, instruments: [...instruments, limiter] })(start);
    const module = isLeft(result) ? result : right(result.right.module);
    return { module, seen: limiter.seen() };
  };
  const isDifferent = (limit: number, module: Result<IRModule>): boolean => {
    if (isLeft(module)) return true;
    const wide = base.right.wide();
    const shadow = isLeft(wide) ? undefined : runUpTo(limit, wide.right).module;
    const second = { native: module.right, wide: shadow };
    const needs = options.needs ?? pipeline.needs;
    const found = compareWithBaseline(base.right, second, { ...options, needs });
    return isLeft(found) || found.right.verdict === 'different';
  };
  const isBad = (limit: number): boolean => {
    const { module } = runUpTo(limit, base.right.module);
    return options.isBad === undefined ? isDifferent(limit, module) : options.isBad(module);
  };
  let bad = runUpTo(Number.POSITIVE_INFINITY, base.right.module).seen.length;
  if (!isBad(bad)) return fail(nothingToBisect(pipeline.name));
  let good = 0;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBad(middle)) bad = middle;
    else good = middle;
  }
  const before = runUpTo(bad - 1, base.right.module).module;
  const { module: after, seen } = runUpTo(bad, base.right.module);
  const given = isRight(before) ? before.right : base.right.module;
  return right({
    pass: seen[bad - 1] ?? pipeline.name,
    index: bad - 1,
    before: given,
    after,
    runs,
  });
}
