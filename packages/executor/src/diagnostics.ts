/** What can go wrong when a program runs. */
import { type Diagnostic, diagnostic, type Span, suggestion } from '@baton/base';

/** The entry function does not exist. */
export const unknownEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_ENTRY', `the module has no function @${name}`, {
    hint: suggestion(name, known, '@'),
  });

/** A global function that does not exist. */
export const unknownGlobal = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_GLOBAL', `the module has no function @${name}`, { span });

/** An operator that does not exist. */
export const unknownOperator = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_OPERATOR', `there is no operator ${name}`, { span });

/** More or fewer arguments than parameters. */
export const argumentCount = (expected: number, found: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_ARGUMENT_COUNT', `expected ${expected} arguments, found ${found}`, { span });

/** A parameter without an argument. */
export const missingArgument = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_MISSING_ARGUMENT', `no argument is given for parameter %${name}`, { span });

/** An argument without a parameter. */
export const unknownArgument = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_ARGUMENT', `the entry has no parameter %${name}`, {
    hint: suggestion(name, known, '%'),
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
  hint?: string,
): Diagnostic =>
  diagnostic('EXEC_ARGUMENT_TYPE', `parameter %${name} expects ${expected}, found ${found}`, {
    span,
    hint,
  });

/** A function that another executor made: its code is its own. `where` is what it was found in. */
export const foreignFunction = (where: string, executor: string, span?: Span): Diagnostic =>
  diagnostic(
    'EXEC_FOREIGN_FUNCTION',
    `${where} expects functions that ${executor} made, found one of another executor`,
    { span },
  );

/** A number that the element type of its parameter cannot hold. */
export const argumentRange = (
  name: string,
  dtype: string,
  found: string,
  span: Span | undefined,
  hint: string,
): Diagnostic =>
  diagnostic(
    'EXEC_ARGUMENT_RANGE',
    `parameter %${name} expects ${dtype}, which cannot be ${found}`,
    {
      span,
      hint,
    },
  );

/** A construct that the interpreter does not cover. */
export const notCovered = (what: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_NOT_COVERED', `${what} cannot be executed by this version`, { span });

/** A variable that nothing binds. */
export const unboundVariable = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNBOUND_VARIABLE', `variable %${name} has no value`, { span });

/** A size that is not what a type states. `expected` is absent where no size of a name would do. */
export const dimension = (
  subject: string,
  axis: number,
  dim: string,
  expected: number | undefined,
  found: number,
  span?: Span,
): Diagnostic => {
  const stated =
    expected === undefined
      ? `${dim}, which cannot be ${found}`
      : `${String(expected) === dim ? '' : `${dim} = `}${expected}`;
  return diagnostic(
    'EXEC_DIMENSION',
    `dimension ${axis} of ${subject} is expected to be ${stated}, found ${found}`,
    { span },
  );
};

/** No clause of a match fits the value. */
export const noMatch = (value: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_NO_MATCH', `did not find any match for ${value}`, {
    span,
    hint: 'a clause `_ => ..` matches everything else',
  });

/** The program took more steps than it was given. */
export const outOfFuel = (fuel: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_OUT_OF_FUEL', `the program was stopped after ${fuel} steps`, { span });

/** The host asked the program to stop. */
export const stopped = (span?: Span): Diagnostic =>
  diagnostic('EXEC_STOPPED', 'the program was stopped by its host', { span });

/** More calls wait for each other than may. */
export const tooDeep = (depth: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_TOO_DEEP', `more than ${depth} calls wait for each other`, {
    span,
    hint: 'does the recursion end? a call that is the last thing a function does takes no space',
  });
