/** Texts that do not follow the grammar: `PARSE_*`. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const expectedToken = (
  expected: string,
  found: string,
  span: Span,
  hint?: string,
): Diagnostic =>
  diagnostic('PARSE_EXPECTED', `expected ${expected}, found ${found}`, { span, hint });

export const missingHeader = (span: Span): Diagnostic =>
  diagnostic('PARSE_HEADER', 'a module starts with its version', {
    span,
    hint: 'add `#[version = "0.0.5"]` as the first line',
  });

export const wrongVersion = (found: string, span: Span): Diagnostic =>
  diagnostic('PARSE_HEADER', `this parser reads version 0.0.5, found ${found}`, {
    span,
    hint: 'write `#[version = "0.0.5"]`',
  });

/** The parser gives up: further errors would only be noise. */
export const tooManyErrors = (limit: number, span: Span): Diagnostic =>
  diagnostic('PARSE_TOO_MANY', `more than ${limit} errors; the rest is not reported`, { span });

/** `extern type T { .. }`. */
export const externConstructors = (span: Span): Diagnostic =>
  diagnostic('PARSE_EXTERN', 'an extern type has no constructors', { span });

/** `free_var` inside a definition. */
export const freeVarInDefinition = (span: Span): Diagnostic =>
  diagnostic(
    'PARSE_FREE_VAR',
    '`free_var` is for expressions: a definition has no free variables',
    {
      span,
      hint: 'make it a parameter',
    },
  );

export const missingResult = (found: string, span: Span): Diagnostic =>
  diagnostic('PARSE_RESULT', `expected an expression after the bindings, found ${found}`, {
    span,
    hint: 'a block ends with its value',
  });

/** `[]` as an expression. */
export const emptyTensorLiteral = (span: Span): Diagnostic =>
  diagnostic('PARSE_EMPTY_TENSOR', 'a tensor literal has at least one element', { span });

export const dimensionTooLarge = (limit: number, span: Span): Diagnostic =>
  diagnostic('PARSE_DIMENSION', `a dimension has at most ${limit} operations and terms`, { span });

/** A dimension that is not a size: negative, too large, or a division with a remainder. */
export const badDimension = (message: string, span: Span): Diagnostic =>
  diagnostic('PARSE_DIMENSION', message, { span });

export const strayWhere = (span: Span): Diagnostic =>
  diagnostic('PARSE_WHERE', 'only function types have constraints', { span });

export const castWithoutDType = (span: Span): Diagnostic =>
  diagnostic('PARSE_CAST', 'a cast names a dtype, or a tensor type with one', { span });

export const constantDType = (span: Span): Diagnostic =>
  diagnostic('PARSE_CONSTANT', 'a constant has a dtype without lanes', { span });

export const wrongConstructorResult = (type: string, span: Span): Diagnostic =>
  diagnostic('PARSE_CONSTRUCTOR', `a constructor of \`${type}\` makes \`${type}\``, { span });
