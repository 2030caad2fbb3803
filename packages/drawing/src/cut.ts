/** Cuts texts for the page: names come from files and may have any length. */
const MAX_TEXT = 256;

/** The text, shortened to 256 characters if it is longer. */
export function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT - 1)}…`;
}
