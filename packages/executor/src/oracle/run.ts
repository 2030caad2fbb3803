/** The common state of a run's rules: the program, the steps so far, and the way to stop. */
import type { Diagnostics, Span } from '@baton/base';
import type { Expr, Func, IRModule, TypeVar } from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import type { Meter } from '../limits.ts';
import { type CheckedValue, checkDimensions, statesSizes } from '../values/dimensions.ts';
import type { Closure, Value } from '../values/value.ts';
import type { Sharing } from './sharing.ts';

/** A run of a program. */
export interface Run {
  readonly m: IRModule;
  readonly meter: Meter;
  /** A function of the module as a value. */
  readonly globals: (name: string) => Closure | undefined;
  readonly sharingIn: (func: Func) => Sharing;
  /** The number of waiting calls. The first call waits for none. */
  depth: number;
  steps: number;
  /** The number of steps at which the meter is checked again. */
  limit: number;
}

/** ρ of the reference: an activation of a function. */
export interface Frame {
  readonly sharing: Sharing;
  readonly func: Func;
  /** The activation that made the function. */
  readonly outer: Frame | undefined;
  /** The values of variables, and of computed shared nodes. */
  readonly values: Map<Expr, Value>;
  /** The sizes of named dimensions. */
  readonly sizes: Map<TypeVar, number>;
}

/** Ends a run from within any rule; `stopped` turns it into a result. */
export class Stop extends Error {
  readonly diagnostics: Diagnostics;

  constructor(problems: Diagnostics) {
    super(problems[0].message);
    this.diagnostics = problems;
  }
}

/** Ends the run with diagnostics. */
export function stop(...problems: Diagnostics): never {
  throw new Stop(problems);
}

/** Counts a call or an operator. */
export function countStep(span: Span | undefined, run: Run): void {
  run.steps += 1;
  if (run.steps <= run.limit) return;
  const next = run.meter.reached(run.steps, span);
  if (typeof next !== 'number') stop(next);
  run.limit = next;
}

/** Counts a call for which another waits. */
export function countCall(span: Span | undefined, run: Run): void {
  run.depth += 1;
  const { maxDepth } = run.meter;
  if (run.depth > maxDepth) stop(diagnostics.tooDeep(maxDepth, span));
}

/** A value to compare with the sizes in a type. */
export type Claim = Omit<CheckedValue, 'operand'> & { readonly value: Value };

/** Compares sizes with types (decision [D8](https://batonjs.github.io/baton/spec/decisions#D8)). */
export function checkSizes(claims: ReadonlyArray<Claim>, sizes: Map<TypeVar, number>): void {
  const stated = claims.filter(({ type }) => statesSizes(type));
  const values = stated.map((claim, operand) => ({ ...claim, operand }));
  const problem = checkDimensions(values, sizes, (i) => stated[i]?.value as Value);
  if (problem !== undefined) stop(problem);
}
