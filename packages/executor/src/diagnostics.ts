/** What can go wrong when a program runs. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

/** The entry function does not exist. */
export const unknownEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_ENTRY', `the module has no function @${name}`, {
    hint: known.length === 0 ? undefined : `it has ${known.map((other) => `@${other}`).join(', ')}`,
  });

/** More or fewer arguments than parameters. */
export const argumentCount = (expected: number, found: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_ARGUMENT_COUNT', `expected ${expected} arguments, found ${found}`, { span });

/** A parameter without an argument. */
export const missingArgument = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_MISSING_ARGUMENT', `no argument is given for parameter %${name}`, { span });

/** An argument without a parameter. */
export const unknownArgument = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_ARGUMENT', `the entry has no parameter %${name}`, {
    hint: `its parameters are ${known.map((other) => `%${other}`).join(', ')}`,
  });

/** Two parameters share a name, so that arguments by name are ambiguous. */
export const ambiguousParameter = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_AMBIGUOUS_PARAMETER', `two parameters are called %${name}`, {
    span,
    hint: 'give the arguments by position',
  });

/** An argument that is not of its parameter's type. */
export const argumentType = (
  name: string,
  expected: string,
  found: string,
  span?: Span,
): Diagnostic =>
  diagnostic('EXEC_ARGUMENT_TYPE', `parameter %${name} expects ${expected}, found ${found}`, {
    span,
  });

/** A construct that the interpreter does not cover. */
export const notCovered = (what: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_NOT_COVERED', `${what} cannot be executed by this version`, { span });

/** A variable that nothing binds. */
export const unboundVariable = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNBOUND_VARIABLE', `variable %${name} has no value`, { span });
