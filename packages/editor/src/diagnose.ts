/** Finds the errors in a text. */
import type { Diagnostic, Severity } from '@baton/base';
import { MAX_DIAGNOSTICS } from '@baton/text';
import { documentOf, type RelayDocument } from './document.ts';
import { rangeOf, type TextRange } from './range.ts';

/** A note about an error, with its range if it has one in the text. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: TextRange | undefined;
}

export interface TextDiagnostic extends TextRange {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly related: ReadonlyArray<RelatedPlace>;
}

/**
 * The errors in a text, in its order: syntax errors, and type errors in definitions without syntax
 * errors. An error without a range is at the start of the text.
 *
 * **Complexity** linear in the text.
 */
export function diagnose(of: string | RelayDocument): ReadonlyArray<TextDiagnostic> {
  const document = documentOf(of);
  const { reading } = document;
  const found = [...reading.diagnostics];
  for (const d of document.typing().diagnostics) {
    if (found.length > MAX_DIAGNOSTICS) break;
    found.push(d);
  }
  return found.map((d) => placed(d, document)).sort((a, b) => a.from - b.from || a.to - b.to);
}

function placed(d: Diagnostic, { reading: { tokens } }: RelayDocument): TextDiagnostic {
  const { from, to } = rangeOf(tokens, d.span) ?? { from: 0, to: 0 };
  return {
    from,
    to,
    severity: d.severity,
    code: d.code,
    message: d.message,
    hint: d.hint,
    related: d.related.map(({ message, span }) => ({ message, range: rangeOf(tokens, span) })),
  };
}
