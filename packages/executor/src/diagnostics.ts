/** The run-time errors of programs. */
import { type Diagnostic, diagnostic, type Span, suggestion } from '@baton/base';

export const unknownEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_ENTRY', `the module has no function @${name}`, {
    hint: suggestion(name, known, '@'),
  });

export const unknownGlobal = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_GLOBAL', `the module has no function @${name}`, { span });

export const unknownOperator = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNKNOWN_OPERATOR', `there is no operator ${name}`, { span });

export const argumentCount = (expected: number, found: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_ARGUMENT_COUNT', `expected ${expected} arguments, found ${found}`, { span });

export const missingArgument = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_MISSING_ARGUMENT', `no argument is given for parameter %${name}`, { span });

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

/** A function of another executor: its code is its own. `where` names the argument or cell. */
export const foreignFunction = (where: string, executor: string, span?: Span): Diagnostic =>
  diagnostic(
    'EXEC_FOREIGN_FUNCTION',
    `${where} expects functions that ${executor} made, found one of another executor`,
    { span },
  );

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

export const notCovered = (what: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_NOT_COVERED', `${what} cannot be executed by this version`, { span });

export const unboundVariable = (name: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_UNBOUND_VARIABLE', `variable %${name} has no value`, { span });

/** A size that differs from the type's. `expected` is absent if no size of a name would do. */
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

export const noMatch = (value: string, span?: Span): Diagnostic =>
  diagnostic('EXEC_NO_MATCH', `did not find any match for ${value}`, {
    span,
    hint: 'a clause `_ => ..` matches everything else',
  });

export const disposed = (): Diagnostic =>
  diagnostic('EXEC_DISPOSED', 'the program was disposed of', { hint: 'prepare the module again' });

export const outOfFuel = (fuel: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_OUT_OF_FUEL', `the program was stopped after ${fuel} steps`, {
    span,
    hint: 'raise `fuel` if you trust the program',
  });

export const stopped = (span?: Span): Diagnostic =>
  diagnostic('EXEC_STOPPED', 'the program was stopped by its host', { span });

export const noMemory = (): Diagnostic =>
  diagnostic('EXEC_MEMORY', 'the host has no memory for the run');

/** Too many calls wait for each other. */
export const tooDeep = (depth: number, span?: Span): Diagnostic =>
  diagnostic('EXEC_TOO_DEEP', `more than ${depth} calls wait for each other`, {
    span,
    hint: 'does the recursion end? a call that is the last thing a function does takes no space',
  });
