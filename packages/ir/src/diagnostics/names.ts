/** Unknown names, and ambiguous ones. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

/** A name that no parameter has. */
export const missingParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('BIND_UNKNOWN', `the function has no parameter %${name}`, { span });

/** A name that several parameters have. */
export const ambiguousParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('BIND_AMBIGUOUS', `the function has several parameters %${name}`, { span });
