/** Diagnostics, and results that hold them. */
import { type Either, isLeft, left, right } from './either.ts';
import type { Span } from './span.ts';

/** The severity of a diagnostic. `bug` marks an internal error, caught at an API boundary. */
export type Severity = 'error' | 'warning' | 'note' | 'help' | 'bug';

/** A second location that explains a diagnostic, such as an earlier definition. */
export interface RelatedNote {
  readonly message: string;
  readonly span?: Span;
}

/** A problem, its location, and a remedy. */
export interface Diagnostic {
  readonly _tag: 'Diagnostic';
  /** Stable, in capitals: `TYPE_SHAPE_MISMATCH`. */
  readonly code: string;
  readonly severity: Severity;
  /** Says what was expected and what was found, in lower case, without a final full stop. */
  readonly message: string;
  readonly span?: Span;
  readonly related: ReadonlyArray<RelatedNote>;
  readonly hint?: string;
}

export type Diagnostics = readonly [Diagnostic, ...Diagnostic[]];

/** The result of a function that reads input from outside. */
export type Result<A> = Either<Diagnostics, A>;

export interface DiagnosticParts {
  readonly span?: Span | undefined;
  readonly hint?: string | undefined;
  readonly related?: ReadonlyArray<RelatedNote>;
  readonly severity?: Severity;
}

/** A diagnostic; an error unless `parts.severity` says otherwise. */
export function diagnostic(code: string, message: string, parts: DiagnosticParts = {}): Diagnostic {
  return {
    _tag: 'Diagnostic',
    code,
    severity: parts.severity ?? 'error',
    message,
    related: parts.related ?? [],
    ...(parts.span === undefined ? {} : { span: parts.span }),
    ...(parts.hint === undefined ? {} : { hint: parts.hint }),
  };
}

export const ok = <A>(value: A): Result<A> => right(value);

export const fail = <A = never>(...diagnostics: Diagnostics): Result<A> => left(diagnostics);

/** Goes on with a result, unless it is a failure. */
export const andThen = <A, B>(result: Result<A>, next: (value: A) => Result<B>): Result<B> =>
  isLeft(result) ? result : next(result.right);

/** The diagnostics as a failure if there are any, else `undefined`. */
export function failure(diagnostics: ReadonlyArray<Diagnostic>): Result<never> | undefined {
  const [first, ...rest] = diagnostics;
  return first === undefined ? undefined : fail(first, ...rest);
}
