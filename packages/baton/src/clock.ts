/** The clock of a run: only the facade reads one. */
import type { Limits } from '@baton/base';
import * as manager from '@baton/pass-manager';

/** Milliseconds by `performance.now` of browsers, Node and workers; 0 without it. */
export const clock = (): number => host.performance?.now() ?? 0;

const host = globalThis as { readonly performance?: { readonly now: () => number } };

/** As `runPass` of `@baton/pass-manager`, timed by `performance.now` unless the context has a clock. */
export const runPass: manager.RunPass = /* @__PURE__ */ manager.runPassWith({ now: clock });

/**
 * Limits that end the work after some time: give them to `importOnnx`, `runPass`, `evaluate` and
 * `exportOnnx`, one after another. The time runs from the call.
 *
 * **Units** seconds.
 */
export function withinSeconds(
  seconds: number,
  limits: Limits = {},
  now: () => number = clock,
): Limits {
  const end = now() + seconds * MS;
  return { ...limits, shouldStop: () => now() > end || limits.shouldStop?.() === true };
}

const MS = 1000;

/** As `passTiming` of `@baton/pass-manager`; the clock is `performance.now` if none is given. */
export const passTiming = (now: () => number = clock): manager.PassTiming =>
  manager.passTiming(now);
