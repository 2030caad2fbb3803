/** Room for constants whose sizes a file states: asked for before they are made. */
import {
  type Budget,
  type Diagnostic,
  fail,
  isLackOfMemory,
  type Result,
  right,
  type Span,
  stoppedByHost,
} from '@baton/base';
import { noRoom } from './diagnostics.ts';

/** Asks for room for a table of these sizes; the code of a node goes no further without it. */
export type Room = (...sizes: ReadonlyArray<number>) => void;

/** Ends the code of a node; never leaves {@link withinRoom}. */
export class Refusal extends Error {
  readonly diagnostic: Diagnostic;

  constructor(problem: Diagnostic) {
    super(problem.message);
    this.diagnostic = problem;
  }
}

/** Goes no further if the host asks to stop. */
export function goesOn(budget: Budget, what: string, span: Span): void {
  if (budget.isOver()) throw new Refusal(stoppedByHost(what, span));
}

/** The bytes of an element in tables under way. */
const ELEMENT_BYTES = 8;

/** The room of a budget for tables of a node. */
export const roomOf =
  (budget: Budget, what: string, span: Span): Room =>
  (...sizes) => {
    const count = sizes.reduce((product, size) => product * Math.max(size, 0), 1);
    if (budget.takeTensor(count, ELEMENT_BYTES)) return;
    throw new Refusal(budget.exceeded(`a table for ${what}`, 'bytes', count * ELEMENT_BYTES, span));
  };

/**
 * What `make` makes.
 *
 * **Errors** `LIMIT` where it has no room, or the host no memory; `ONNX_LIMIT` for too many calls.
 */
export function withinRoom<A>(make: () => A, span: Span): Result<A> {
  try {
    return right(make());
  } catch (error) {
    if (error instanceof Refusal) return fail(error.diagnostic);
    if (isLackOfMemory(error)) return fail(noRoom(span));
    throw error;
  }
}
