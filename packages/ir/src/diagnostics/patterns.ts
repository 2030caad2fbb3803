/** Patterns, and the coverage of matches. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const patternMismatch = (
  pattern: string,
  found: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_PATTERN', `${pattern} does not match a value of type ${found}`, { span });

export const patternArity = (
  name: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_PATTERN_ARITY',
    `the constructor ${name} has ${expected} inputs, found ${found} patterns`,
    { span },
  );

export const incompleteMatch = (cases: ReadonlyArray<string>, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_MATCH_INCOMPLETE', `not covered: ${listed(cases)}`, {
    span,
    hint: 'add clauses for these cases, or write `match?`',
  });

const MAX_LISTED_CASES = 16;

const listed = (cases: ReadonlyArray<string>): string => {
  const shown = cases.slice(0, MAX_LISTED_CASES).map((one) => `\`${one}\``);
  const rest = cases.length - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
};

export const matchTooLarge = (span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_MATCH_TOO_LARGE', 'it takes too long to find out what this match covers', {
    span,
    hint: 'split the match into several, or write `match?`',
  });
