/** Types that do not fit, or remain open. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';
import { dtypeInfo, isDType } from '@baton/tensor';

export const typeMismatch = (
  expected: string,
  found: string,
  what: string,
  notes: ReadonlyArray<string>,
  span: Span | undefined,
  hint?: string,
): Diagnostic =>
  diagnostic('TYPE_MISMATCH', `expected ${what} of type ${expected}, found ${found}`, {
    span,
    hint,
    related: notes.map((message) => ({ message })),
  });

export const infiniteType = (span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_INFINITE', 'the type of this expression would have to contain itself', { span });

export const literalRange = (value: string, dtype: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_LITERAL_RANGE', `literal ${value} does not fit ${dtype}`, {
    span,
    hint: rangeHint(dtype),
  });

export const conditionNotBool = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_CONDITION', `expected a condition of type bool, found ${found}`, {
    span,
    hint: 'compare it, as in `%x != 0`',
  });

export const notAFunction = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'TYPE_NOT_A_FUNCTION',
    `only expressions with function types can be called, found ${found}`,
    { span },
  );

export const wrongArgumentCount = (
  callee: string,
  expected: number,
  found: number,
  span: Span | undefined,
  names: ReadonlyArray<string>,
): Diagnostic =>
  diagnostic(
    'TYPE_ARITY',
    `${callee} is provided too ${found > expected ? 'many' : 'few'} arguments: ` +
      `expected ${expected}, found ${found}`,
    { span, hint: names.length === 0 ? undefined : `it takes ${names.join(', ')}` },
  );

export const notATupleType = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_NOT_A_TUPLE', `only tuples can be projected from, found ${found}`, { span });

export const tupleIndexRange = (index: number, size: number, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_TUPLE_INDEX', `field ${index} is out of range for a tuple of ${size}`, {
    span,
    hint: 'fields count from 0',
  });

export const underConstrained = (what: string, hint: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNDERCONSTRAINED', `unable to infer a type for ${what}`, { span, hint });

export const unboundVariable = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNBOUND', `variable %${name} is not bound here`, { span });

export const missingOperator = (
  name: string,
  span: Span | undefined,
  hint: string | undefined,
): Diagnostic =>
  diagnostic('TYPE_UNKNOWN_OPERATOR', `the module has no operator ${name}`, {
    span,
    hint: hint ?? 'operators come from the table that the module was made with',
  });

export const undefinedGlobal = (
  name: string,
  span: Span | undefined,
  hint: string | undefined,
): Diagnostic =>
  diagnostic('TYPE_UNDEFINED_GLOBAL', `the module defines no function @${name}`, { span, hint });

/** Functions whose uses copy more of their types than is allowed. */
export const typeTooLarge = (
  name: string,
  parts: number,
  limit: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_TOO_LARGE',
    `types grow too large: the type of ${name} has ${parts} parts, and inference copies at most ${limit} parts for all uses of polymorphic functions`,
    {
      span,
      hint: 'a function that uses another twice doubles its type: annotate such functions, or raise `limits.typeParts`',
    },
  );

/** Functions that call each other, each of which would get a long list of what all of them need. */
export const groupTooLarge = (
  name: string,
  members: number,
  parts: number,
  limit: number,
  span: Span | undefined,
): Diagnostic =>
  diagnostic(
    'TYPE_GROUP_TOO_LARGE',
    `@${name} and ${members - 1} other functions call each other, and each gets all ${parts} type parameters and relations of them; the limit is ${limit} for all functions together`,
    { span, hint: 'annotate the parameters and the result of some of them' },
  );

export const dimensionsDiffer = (a: string, b: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_DIMENSION', `dimension ${a} does not match ${b}`, { span });

export const undefinedAdt = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_UNDEFINED_ADT', `the module defines no algebraic data type ${name}`, { span });

/** A node that a pass should have removed before it returned. */
export const temporaryLeft = (span: Span | undefined): Diagnostic =>
  diagnostic('TYPE_TEMP_EXPR', "a pass's private node is left in the program", {
    span,
    severity: 'bug',
  });

export function rangeHint(dtype: string): string | undefined {
  if (!isDType(dtype)) return undefined;
  const { min, max } = dtypeInfo(dtype);
  return `${dtype} holds ${min} to ${max}`;
}
