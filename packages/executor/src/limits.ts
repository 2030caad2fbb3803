/** The limits of a run. */
import type { Span } from '@baton/base';
import * as diagnostics from './diagnostics.ts';
import { stop } from './stop.ts';

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

/** The steps between two checks of the fuel alone: a small integer, which is fast to count. */
const UNWATCHED_STEPS = 2 ** 29;

/** Counts the steps and the depth of a run, and ends it at a limit. */
export class Meter {
  readonly maxBytes: number;
  private readonly limits: Limits;
  private readonly maxDepth: number;
  /** The steps that were granted so far, and those of them that are left. */
  private granted = 0;
  private left = 0;

  constructor(limits: Limits) {
    this.limits = limits;
    this.maxDepth = limits.maxDepth ?? MAX_DEPTH;
    this.maxBytes = limits.maxBytes ?? MAX_BYTES;
    this.grant();
  }

  /** Counts a call of a function or an operator. */
  countStep(span: Span | undefined): void {
    this.left -= 1;
    if (this.left >= 0) return;
    const { fuel, shouldStop } = this.limits;
    if (fuel !== undefined && this.granted >= fuel) stop(diagnostics.outOfFuel(fuel, span));
    if (shouldStop?.() === true) stop(diagnostics.stopped(span));
    this.grant();
  }

  /** Checks the number of calls that wait for each other. */
  checkDepth(depth: number, span: Span | undefined): void {
    if (depth > this.maxDepth) stop(diagnostics.tooDeep(this.maxDepth, span));
  }

  /** Grants the steps up to the next check. The step that asked for them may be one. */
  private grant(): void {
    const { fuel = Number.POSITIVE_INFINITY, shouldStop } = this.limits;
    const most = shouldStop === undefined ? UNWATCHED_STEPS : POLL_STEPS;
    const more = Math.min(most, fuel - this.granted);
    this.granted += more;
    this.left += more;
  }
}
