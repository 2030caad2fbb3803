/** Formats a text. */
import { failure, type Result } from '@baton/base';
import { formatText } from '@baton/text';
import { documentOf, type RelayDocument } from './document.ts';

/**
 * The text in Baton's layout, as `baton fmt` writes it; comments and names stay.
 *
 * **Errors** syntax errors: a text that cannot be parsed keeps its layout.
 *
 * **Complexity** linear in the text.
 */
export function format(of: string | RelayDocument): Result<string> {
  const { text, reading } = documentOf(of);
  return failure(reading.diagnostics) ?? formatText(text, reading.tokens.source.name);
}
