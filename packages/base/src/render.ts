/** Diagnostics as text, with their source lines. */
import type { Diagnostic } from './diagnostic.ts';
import { columnText } from './quote.ts';
import { printSpan, type Span, spanLeaves, type TextSpan } from './span.ts';

/** Lines longer than this are cut around the caret: a generated file may be one line. */
const MAX_LINE_CHARACTERS = 160;

function sourceLine(span: TextSpan): ReadonlyArray<string> {
  const line = span.source.text.split('\n')[span.line - 1]?.replace(/\r$/, '');
  if (line === undefined) return [];
  const endColumn = span.endLine === span.line ? span.endColumn : line.length + 1;
  const start = Math.max(0, Math.min(span.column - 1 - 40, line.length - MAX_LINE_CHARACTERS));
  const shown = columnText(line.slice(start, start + MAX_LINE_CHARACTERS));
  const offset = span.column - 1 - start;
  const carets = Math.max(1, Math.min(endColumn - span.column, MAX_LINE_CHARACTERS - offset));
  const blank = `${span.line}`.replace(/\d/g, ' ');
  return [
    `${blank} |`,
    `${span.line} | ${shown}`,
    `${blank} | ${' '.repeat(Math.max(0, offset))}${'^'.repeat(carets)}`,
  ];
}

function place(span: Span | undefined): ReadonlyArray<string> {
  return spanLeaves(span).flatMap((leaf) => [
    `  --> ${columnText(printSpan(leaf))}`,
    ...(leaf._tag === 'TextSpan' ? sourceLine(leaf) : []),
  ]);
}

/** A diagnostic as text: message, location, source line with carets, notes, hint. */
export function renderDiagnostic(d: Diagnostic): string {
  return [
    `${d.severity}[${d.code}]: ${columnText(d.message)}`,
    ...place(d.span),
    ...d.related.flatMap((note) => [`note: ${columnText(note.message)}`, ...place(note.span)]),
    ...(d.hint === undefined ? [] : [`help: ${columnText(d.hint)}`]),
  ].join('\n');
}

export const renderDiagnostics = (diagnostics: ReadonlyArray<Diagnostic>): string =>
  diagnostics.map(renderDiagnostic).join('\n\n');
