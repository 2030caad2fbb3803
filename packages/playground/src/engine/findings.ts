/** Converts diagnostics for the page: plain data with offsets. */
import {
  type Diagnostic,
  type Diagnostics,
  isLeft,
  type Result,
  type Span,
  spanLeaves,
} from '@baton/base';
import type { Answer, Finding } from '../protocol.ts';

/** A diagnostic as a finding in a text, with offsets instead of lines. */
export function findingOf(diagnostic: Diagnostic, text = ''): Finding {
  const { severity, code, message, hint, span } = diagnostic;
  const place = span === undefined ? undefined : offsetsOf(span, text);
  return {
    severity: severity === 'error' || severity === 'warning' ? severity : 'info',
    code,
    message,
    hint,
    from: place?.[0],
    to: place?.[1],
  };
}

/** The first line of a program, which a text may omit. */
const HEADER = '#[version = "0.0.5"]\n';

export const withHeader = (text: string): string =>
  /#\[version/.test(text) ? text : `${HEADER}${text}`;

function offsetsOf(span: Span, given: string): readonly [number, number] | undefined {
  const text = withHeader(given);
  const skipped = text.length - given.length;
  const leaf = spanLeaves(span).find(({ _tag }) => _tag === 'TextSpan');
  if (leaf?._tag !== 'TextSpan' || given === '') return undefined;
  const from = Math.max(0, offsetOf(text, leaf.line, leaf.column) - skipped);
  const to = offsetOf(text, leaf.endLine, leaf.endColumn) - skipped;
  return [from, Math.max(from, to)];
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}

export function answerOf<A>(
  result: Result<A>,
  text = '',
  warnings: ReadonlyArray<Diagnostic> = [],
): Answer<A> {
  if (isLeft(result)) return refused(result.left, text);
  return { ok: true, value: result.right, warnings: warnings.map((d) => findingOf(d, text)) };
}

export const refused = (diagnostics: Diagnostics, text = ''): Answer<never> => ({
  ok: false,
  findings: diagnostics.map((d) => findingOf(d, text)),
});
