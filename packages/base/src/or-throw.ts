/** Results as exceptions, for scripts. */
import type { Diagnostics, Result } from './diagnostic.ts';
import { isLeft } from './either.ts';
import { isErrorNamed } from './invariant.ts';
import { renderDiagnostics } from './render.ts';

/** The exception that {@link orThrow} raises: its message is the rendered diagnostics. */
export class DiagnosticsError extends Error {
  override readonly name = 'DiagnosticsError';
  declare readonly diagnostics: Diagnostics;

  /** Whether a value is one, also of another copy of this package in the same process. */
  static override [Symbol.hasInstance](value: unknown): value is DiagnosticsError {
    return isErrorNamed(value, 'DiagnosticsError');
  }

  constructor(diagnostics: Diagnostics) {
    super(renderDiagnostics(diagnostics));
    // Not enumerable, or a console would repeat the diagnostics after the message.
    Object.defineProperty(this, 'diagnostics', { value: diagnostics });
  }
}

/**
 * The value of a result, for scripts that prefer an exception.
 *
 * **Errors** throws a {@link DiagnosticsError} that holds the diagnostics, and shows each with its
 * place, its source line and its hint.
 */
export function orThrow<A>(result: Result<A>): A {
  if (isLeft(result)) throw new DiagnosticsError(result.left);
  return result.right;
}
