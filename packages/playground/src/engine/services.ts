/** Editor services for a text, whose first line may be omitted. */
import { type Completions, completeAt, type Hover, hoverAt, type TextRange } from '@baton/editor';
import { withHeader } from './findings.ts';

export const hover = (text: string, offset: number): Hover | undefined =>
  within(text, offset, hoverAt);

export const complete = (text: string, offset: number): Completions =>
  within(text, offset, completeAt);

/** Runs a request on the complete text, and returns ranges in the text that the user sees. */
function within<A extends TextRange | undefined>(
  text: string,
  offset: number,
  ask: (whole: string, at: number) => A,
): A {
  const whole = withHeader(text);
  const skipped = whole.length - text.length;
  const found = ask(whole, offset + skipped);
  return found && { ...found, from: found.from - skipped, to: found.to - skipped };
}
