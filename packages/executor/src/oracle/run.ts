/** A run of the oracle: what is still to do, and what has been found. */
import type { Diagnostic, Diagnostics, Span } from '@baton/base';
import type { Func, IRModule, TypeVar } from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import type { Meter } from '../limits.ts';
import { type CheckedValue, checkDimensions } from '../values/dimensions.ts';
import type { Closure, Value } from '../values/value.ts';
import type { Sharing } from './sharing.ts';

/** Why the run ends here; `undefined` where it goes on. */
export type Failure = Diagnostics | undefined;

/** A piece of work. */
type Step = () => Failure;

/** A run. Instead of calls that wait in each other there is one list of what is still to do. */
export interface Run {
  readonly m: IRModule;
  readonly meter: Meter;
  /** What is still to do, the next last. */
  readonly todo: Step[];
  /** Values that were found and are waited for, the newest last. */
  readonly found: Value[];
  /** Ends a call that others wait for. */
  readonly leave: Step;
  readonly globals: (name: string) => Closure | undefined;
  readonly sharingIn: (func: Func) => Sharing;
  /** How many calls wait. */
  depth: number;
  steps: number;
  /** The number of steps at which the meter is asked again. */
  limit: number;
}

/** A run that has not started. */
export function newRun(parts: Pick<Run, 'm' | 'meter' | 'globals' | 'sharingIn'>): Run {
  const run: Run = {
    ...parts,
    todo: [],
    found: [],
    leave: () => {
      run.depth -= 1;
      return undefined;
    },
    depth: -1,
    steps: 0,
    limit: parts.meter.next,
  };
  return run;
}

/** Hands a value to who waits for it. */
export function give(value: Value, run: Run): Failure {
  run.found.push(value);
  return undefined;
}

/** The run ends with this diagnostic, if it is one. */
const failing = (problem: Diagnostic | undefined): Failure =>
  problem === undefined ? undefined : [problem];

/** Counts a call or an operator. */
export function countStep(span: Span | undefined, run: Run): Failure {
  run.steps += 1;
  if (run.steps <= run.limit) return undefined;
  const next = run.meter.reached(run.steps, span);
  if (typeof next !== 'number') return [next];
  run.limit = next;
  return undefined;
}

/**
 * Counts a call that others wait for. Nobody waits for a call that is the last thing its caller
 * does: it ends with its caller.
 */
export function enterCall(span: Span | undefined, run: Run): Failure {
  if (run.todo.at(-1) === run.leave) return undefined;
  run.depth += 1;
  run.todo.push(run.leave);
  const { maxDepth } = run.meter;
  return run.depth > maxDepth ? [diagnostics.tooDeep(maxDepth, span)] : undefined;
}

/** A value that is held against the sizes that a type states. */
export type Claim = Omit<CheckedValue, 'operand'> & { readonly value: Value };

/** Compares sizes with types (decision [D8](https://batonjs.github.io/baton/spec/decisions#D8)). */
export function checkSizes(claims: ReadonlyArray<Claim>, sizes: Map<TypeVar, number>): Failure {
  const values = claims.map(({ subject, type, span }, operand) => ({
    operand,
    subject,
    type,
    span,
  }));
  return failing(checkDimensions(values, sizes, (i) => claims[i]?.value as Value));
}

/** Holds the newest value against a type. */
export const checkFound = (
  claim: Omit<Claim, 'value'>,
  sizes: Map<TypeVar, number>,
  run: Run,
): Failure => checkSizes([{ ...claim, value: run.found.at(-1) as Value }], sizes);
