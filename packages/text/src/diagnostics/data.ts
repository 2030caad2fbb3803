/** Modules as data, and the metadata of a text. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const badJson = (path: string, problem: string): Diagnostic =>
  diagnostic('JSON_CONTENT', `the data is no module: at ${path}: ${problem}`);

export const notJsonModule = (): Diagnostic =>
  diagnostic('JSON_CONTENT', 'the data is no module: it has no `baton`, the version of its form', {
    hint: '`toJson`, or `baton optimize -o FILE.json`, writes modules as JSON',
  });

export const jsonTooDeep = (limit: number): Diagnostic =>
  diagnostic('JSON_DEPTH', `the data nests deeper than ${limit}`);

export const unknownMeta = (key: string, index: number, count: number, span: Span): Diagnostic =>
  diagnostic(
    'META_UNKNOWN',
    count === 0
      ? `the meta table has no \`${key}\``
      : `the meta table has ${count} of \`${key}\`: there is no ${index}`,
    { span },
  );

export const wrongMeta = (key: string, wanted: string, span: Span): Diagnostic =>
  diagnostic('META_KIND', `expected ${wanted}, found an entry of \`${key}\``, { span });

export const badMetadata = (message: string, span: Span): Diagnostic =>
  diagnostic('META_SECTION', `the metadata section is not valid: ${message}`, { span });
