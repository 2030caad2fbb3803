/** Ranges of a text, as editors count: in UTF-16 units from the start of the text. */

import type { Span } from '@baton/base';
import { endOffsetOf, offsetOf, type Tokens } from '@baton/text';

/** A range of a text. `to` is exclusive. **Units** UTF-16 units from the start. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** `undefined` for a span outside of this text. */
export function rangeOf(tokens: Tokens, span: Span | undefined): TextRange | undefined {
  if (span?._tag !== 'TextSpan' || span.source !== tokens.source) return undefined;
  return { from: offsetOf(tokens, span), to: endOffsetOf(tokens, span) };
}

/** The last token that starts at or before an offset; −1 before the first. */
export function tokenBefore({ starts }: Tokens, offset: number): number {
  let low = -1;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export const tokenRange = ({ starts, ends }: Tokens, token: number): TextRange => ({
  from: starts[token] as number,
  to: ends[token] as number,
});

export const shortened = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
