/** Type relations, of operators and in `where` lists. */
import { type Diagnostic, diagnostic, type RelatedNote, type Span } from '@baton/base';

export const relationFailed = (
  code: string,
  op: string,
  message: string,
  hint: string | undefined,
  span: Span | undefined,
  operands: ReadonlyArray<RelatedNote>,
): Diagnostic => diagnostic(code, `${op}: ${message}`, { span, hint, related: operands });

export const operandNote = (name: string, type: string): RelatedNote => ({
  message: `\`${name}\` is ${type}`,
});

export const relationThrew = (op: string, reason: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_RELATION_THREW', `the type relation of ${op} threw: ${reason}`, {
    span,
    severity: 'bug',
  });

export const missingRelation = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNKNOWN_RELATION', `the module has no type relation ${name}`, {
    span,
    hint: 'register it in the operator table: `ops.withRelation({ .. })`',
  });

export const relationArity = (
  name: string,
  expected: number,
  found: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_RELATION_ARITY',
    `the relation ${name} holds between ${expected} types, found ${found}`,
    { span },
  );

/** A constraint on a declared type parameter that no `where` list states. */
export const unprovedConstraint = (
  relation: string,
  parameter: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_UNPROVED',
    `nothing states that ${relation} holds for the type parameter ${parameter}`,
    { span, hint: 'add the relation to a `where` list' },
  );

/** A function that calls itself at ever larger types, with ever more constraints. */
export const growingConstraints = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'TYPE_GROWING_CONSTRAINTS',
    `@${name} calls itself at other types, and what it asks of them has no end`,
    { span, hint: 'call it at its own type parameters, or state a `where` list' },
  );
