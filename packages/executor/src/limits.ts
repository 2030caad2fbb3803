/** The limits of a run. */
import type { Limits, Span } from '@baton/base';
import * as diagnostics from './diagnostics.ts';
import { stop } from './stop.ts';

/**
 * Limits of a run. Reaching one ends the run with a diagnostic. `steps` and `bytes` are other names of
 * `fuel` and `maxBytes`, and `shouldStop` is called every {@link POLL_STEPS} steps.
 */
export interface RunLimits extends Limits {
  /**
   * The most steps of the run: calls of functions and evaluations of operators, each of which takes a
   * further step for every `WORK_OF_STEP` operations, and bytes that it reads or writes.
   * @defaultValue no limit
   */
  readonly fuel?: number;
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

export const POLL_STEPS = 256;

/** The steps between two checks of the fuel only: a small integer, which is fast to count. */
const UNWATCHED_STEPS = 2 ** 29;

/** Counts the steps and the depth of a run, and ends it at a limit. */
export class Meter {
  readonly maxBytes: number;
  private readonly fuel: number;
  private readonly shouldStop: (() => boolean) | undefined;
  private readonly maxDepth: number;
  /** The steps that were granted so far, and those of them that are left. */
  private granted = 0;
  private left = 0;

  constructor({ fuel, steps, shouldStop, maxDepth, maxBytes, bytes }: RunLimits) {
    this.fuel = fuel ?? steps ?? Number.POSITIVE_INFINITY;
    this.shouldStop = shouldStop;
    this.maxDepth = maxDepth ?? MAX_DEPTH;
    this.maxBytes = maxBytes ?? bytes ?? MAX_BYTES;
    this.grant();
  }

  /** Counts a call of a function or an operator. */
  countStep(span: Span | undefined): void {
    this.left -= 1;
    if (this.left < 0) this.grantMore(span);
  }

  /** Counts the further steps that the work of an operator takes. */
  countWork(steps: number, span: Span | undefined): void {
    this.left -= steps;
    while (this.left < 0) this.grantMore(span);
  }

  checkDepth(depth: number, span: Span | undefined): void {
    if (depth > this.maxDepth) stop(diagnostics.tooDeep(this.maxDepth, span));
  }

  /** Asks whether the run may go on. */
  private grantMore(span: Span | undefined): void {
    if (this.granted >= this.fuel) stop(diagnostics.outOfFuel(this.fuel, span));
    if (this.shouldStop?.() === true) stop(diagnostics.stopped(span));
    this.grant();
  }

  /** Grants the steps up to the next check. The step that asked for them may be one. */
  private grant(): void {
    const most = this.shouldStop === undefined ? UNWATCHED_STEPS : POLL_STEPS;
    const more = Math.min(most, this.fuel - this.granted);
    this.granted += more;
    this.left += more;
  }
}
