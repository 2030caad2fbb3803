/**
 * Where in the user's code a function was called. V8, and other engines of late, can say it; where
 * they cannot, a place is not known.
 */
import type { Diagnostics } from './diagnostic.ts';
import { DiagnosticsError } from './or-throw.ts';

/** Any function at all. */
export type AnyFunction = (...args: never) => unknown;

interface Host {
  readonly stackTraceLimit?: number;
  readonly captureStackTrace?: (target: object, below: AnyFunction) => void;
}

const host = Error as Host;

/** `file:line:column` of the call of `callee` that is running; `undefined` if the engine hides it. */
export function callerPlace(callee: AnyFunction): string | undefined {
  const trace: { readonly stack?: string } = {};
  // One line is needed, and each costs some microseconds.
  const { stackTraceLimit } = host;
  Reflect.set(host, 'stackTraceLimit', 1);
  host.captureStackTrace?.(trace, callee);
  Reflect.set(host, 'stackTraceLimit', stackTraceLimit);
  const frame = trace.stack?.split('\n')[1];
  return frame === undefined ? undefined : FRAME.exec(frame)?.[1];
}

/** `at main (file:///a/b.ts:3:7)`, `at /a/b.ts:3:7`: the place without the scheme. */
const FRAME = /(?:\(|at )(?:async )?(?:file:\/\/)?([^()]+:\d+:\d+)\)?$/;

/** What an exception says. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Where an exception was thrown: the first lines of its stack, innermost call first. */
export function stackOf(error: unknown): ReadonlyArray<string> {
  if (!(error instanceof Error)) return [];
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).slice(0, MAX_FRAMES);
}

/** So many calls of a stack are told. */
const MAX_FRAMES = 4;

/** Throws the diagnostics; the exception's stack begins where `callee` was called. */
export function throwAt(diagnostics: Diagnostics, callee: AnyFunction): never {
  const error = new DiagnosticsError(diagnostics);
  host.captureStackTrace?.(error, callee);
  throw error;
}
