/** Finds the location in the user's code that called a function, if the engine reports it. */
import type { Diagnostics } from './diagnostic.ts';
import { DiagnosticsError } from './or-throw.ts';

export type AnyFunction = (...args: never) => unknown;

interface Host {
  readonly stackTraceLimit?: number;
  readonly captureStackTrace?: (target: object, below: AnyFunction) => void;
}

const host = Error as Host;

/** `callerPlace` of the running call, on demand: the engine counts lines and columns only then. */
export function callerOf(callee: AnyFunction): () => string | undefined {
  const trace: { readonly stack?: string } = {};
  // One frame is enough, and each costs some microseconds.
  const { stackTraceLimit } = host;
  Reflect.set(host, 'stackTraceLimit', 1);
  host.captureStackTrace?.(trace, callee);
  Reflect.set(host, 'stackTraceLimit', stackTraceLimit);
  return () => {
    const frame = trace.stack?.split('\n')[1];
    return frame === undefined ? undefined : FRAME.exec(frame)?.[1];
  };
}

/** `file:line:column` of the running call of `callee`; `undefined` if the engine hides it. */
export const callerPlace = (callee: AnyFunction): string | undefined => callerOf(callee)();

/** Captures the location in `at main (file:///a/b.ts:3:7)` and `at /a/b.ts:3:7`. */
const FRAME = /(?:\(|at )(?:async )?(?:file:\/\/)?([^()]+:\d+:\d+)\)?$/;

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The first lines of an exception's stack, innermost call first. */
export function stackOf(error: unknown): ReadonlyArray<string> {
  if (!(error instanceof Error)) return [];
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).slice(0, MAX_FRAMES);
}

const MAX_FRAMES = 4;

/** Throws the diagnostics; the exception's stack begins where `callee` was called. */
export function throwAt(diagnostics: Diagnostics, callee: AnyFunction): never {
  const error = new DiagnosticsError(diagnostics);
  host.captureStackTrace?.(error, callee);
  throw error;
}
