/** The limits of a run. */
import type { Diagnostic, Span } from '@baton/base';
import * as diagnostics from './diagnostics.ts';

/** Limits of a run. Reaching one ends the run with a diagnostic. */
export interface Limits {
  /**
   * The most steps of the run: calls of functions and evaluations of operators.
   * @defaultValue no limit
   */
  readonly fuel?: number;
  /** Called every {@link POLL_STEPS} steps; true ends the run, for example after a time limit. */
  readonly shouldStop?: () => boolean;
  /**
   * The most calls that wait for each other.
   * @defaultValue {@link MAX_DEPTH}
   */
  readonly maxDepth?: number;
  /**
   * The most bytes of one operator's result.
   * @defaultValue {@link MAX_BYTES}
   */
  readonly maxBytes?: number;
}

/** The default limit of waiting calls, which take several hundred MB. */
export const MAX_DEPTH = 5_000_000;

/** The default limit of an operator's result: 1 GiB. */
export const MAX_BYTES: number = 2 ** 30;

/** The steps between two calls of `shouldStop`. */
export const POLL_STEPS = 256;

/** Counts the steps of a run. */
export interface Meter {
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** The number of steps up to which nothing is checked. */
  readonly next: number;
  /** The action at that number: a diagnostic that ends the run, or a later number. */
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
