/** The mistakes in a text. */
import type { Diagnostic, Severity } from '@baton/base';
import { MAX_DIAGNOSTICS } from '@baton/text';
import { documentOf, type RelayDocument } from './document.ts';
import { rangeOf, type TextRange } from './range.ts';

/** A note to a mistake, with its place if it has one in the text. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: TextRange | undefined;
}

/** A mistake with its range in the text: the whole line at least, if it has no place. */
export interface TextDiagnostic extends TextRange {
  readonly severity: Severity;
  /** Stable, in capitals: `TYPE_SHAPE_MISMATCH`. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly related: ReadonlyArray<RelatedPlace>;
}

/**
 * The mistakes in a text, in its order: those of its form, and those of types in definitions that have
 * none of form. A mistake without a place is at the start of the text.
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
