/** Attributes of calls and functions: `ATTR_*`. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const unknownAttribute = (
  op: string,
  name: string,
  span: Span | undefined,
  hint?: string,
): Diagnostic => diagnostic('ATTR_UNKNOWN', `${op} has no attribute \`${name}\``, { span, hint });

export const repeatedAttribute = (name: string, span: Span): Diagnostic =>
  diagnostic('ATTR_TWICE', `the attribute \`${name}\` is given twice`, { span });

export const attributesWithoutKey = (span: Span): Diagnostic =>
  diagnostic(
    'ATTR_NO_KEY',
    'the attribute record type (`attrs_type_key`) of this call cannot be determined',
    { span, hint: 'only calls of operators take attributes' },
  );

export const badAttribute = (message: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('ATTR_VALUE', message, { span, hint });
