/** What a run may use up. */
import type { Diagnostic, Span } from '@baton/base';
import * as diagnostics from './diagnostics.ts';

/** Limits of a run. Each that is reached ends the run with a diagnostic. */
export interface Limits {
  /**
   * How many steps the run may take: calls of functions and evaluations of operators.
   * @defaultValue no limit
   */
  readonly fuel?: number;
  /** Asked every {@link POLL_STEPS} steps whether the run should stop: for limits on time. */
  readonly shouldStop?: () => boolean;
  /**
   * How many calls may wait for each other.
   * @defaultValue {@link MAX_DEPTH}
   */
  readonly maxDepth?: number;
  /**
   * How many bytes the result of one operator may take.
   * @defaultValue {@link MAX_BYTES}
   */
  readonly maxBytes?: number;
}

/** How many calls may wait for each other by default: they take several hundred MB. */
export const MAX_DEPTH = 5_000_000;

/** How many bytes the result of an operator may take by default: 1 GiB. */
export const MAX_BYTES: number = 2 ** 30;

/** How many steps lie between two questions of whether to stop. */
export const POLL_STEPS = 256;

/** Counts the steps of a run. */
export interface Meter {
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** The number of steps up to which nothing has to be asked. */
  readonly next: number;
  /** What to do at that number: a diagnostic that ends the run, or a later number. */
  readonly reached: (steps: number, span: Span | undefined) => Diagnostic | number;
}

/** A meter for these limits. */
export function makeMeter(limits: Limits): Meter {
  const fuel = limits.fuel ?? Number.POSITIVE_INFINITY;
  const { shouldStop } = limits;
  const after = (steps: number): number =>
    shouldStop === undefined ? fuel : Math.min(fuel, steps + POLL_STEPS);
  return {
    maxDepth: limits.maxDepth ?? MAX_DEPTH,
    maxBytes: limits.maxBytes ?? MAX_BYTES,
    next: after(0),
    reached: (steps, span) => {
      if (steps > fuel) return diagnostics.outOfFuel(fuel, span);
      if (shouldStop?.() === true) return diagnostics.stopped(span);
      return after(steps);
    },
  };
}
