/** Unknown names, and ambiguous ones. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const missingParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('BIND_UNKNOWN', `the function has no parameter %${name}`, { span });

export const ambiguousParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('BIND_AMBIGUOUS', `the function has several parameters %${name}`, { span });
