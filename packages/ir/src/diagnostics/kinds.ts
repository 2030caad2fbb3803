/** Type parameters and type arguments. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const typeArgumentCount = (
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_ARGUMENT_COUNT',
    `too many type arguments: expected at most ${expected}, found ${found}`,
    { span },
  );

export const typeArgumentKind = (
  parameter: string,
  expected: string,
  found: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_KIND',
    `the type parameter ${parameter} is of kind ${expected}, found an argument of kind ${found}`,
    { span },
  );

export const wrongKind = (
  name: string,
  role: string,
  found: string,
  expected: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_KIND',
    `incorrect kind for a ${role}: ${name} is of kind ${found} but was expected to be ${expected}`,
    { span },
  );

export const freeTypeVariable = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_FREE_VARIABLE', `the type variable ${name} is undefined`, {
    span,
    hint: 'declare it in the type parameters of a function around it',
  });

/** A type parameter that would have to hold outside its function. */
export const escapedTypeVariable = (
  name: string,
  what: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_FREE_VARIABLE',
    `the type of ${what} would mention the type variable ${name}, which is not declared there`,
    { span, hint: 'bind a function with a let to give it its most general type' },
  );

export const adtArgumentCount = (
  name: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_ARGUMENT_COUNT', `expected ${expected} arguments for ${name}, found ${found}`, {
    span,
  });
