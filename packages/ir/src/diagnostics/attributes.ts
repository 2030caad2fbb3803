/** Attributes of calls and functions: `ATTR_*`. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const badAttributes = (op: string, found: Diagnostic, span: Span | undefined): Diagnostic =>
  diagnostic(found.code, `${op}: ${found.message}`, { span, hint: found.hint });

/** A call of an operator without all attributes: its builder should have filled in defaults. */
export const incompleteAttributes = (
  op: string,
  missing: ReadonlyArray<string>,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('TYPE_ATTRS_INCOMPLETE', `the call of ${op} lacks attributes: ${missing.join(', ')}`, {
    span,
    hint: 'complete them with the codec of the operator: `ops.get(name).attrs.decode`',
  });
