/** Text in pieces, composed in any order and rendered once. */

/** Text; or several texts in a row. A list may still grow until it is rendered. */
export type Doc = string | ReadonlyArray<Doc>;

/** Deeper lines are not indented further: the text would grow with the square of the depth. */
const MAX_INDENTED_LEVELS = 40;

const INDENTATIONS: ReadonlyArray<string> = Array.from(
  { length: MAX_INDENTED_LEVELS + 1 },
  (_, level) => '  '.repeat(level),
);

export const indentation = (level: number): string =>
  INDENTATIONS[Math.min(level, MAX_INDENTED_LEVELS)] ?? '';

/** The number of pieces joined at once: they die young, and the text is not one long list. */
const PIECES_A_CHUNK = 8_192;

/** The text. **Complexity** linear in it; nesting costs memory and never the stack. */
export function render(root: ReadonlyArray<Doc>): string {
  const chunks: string[] = [];
  let pieces: string[] = [];
  const open: ReadonlyArray<Doc>[] = [root];
  const positions: number[] = [0];
  for (let top = 0; top >= 0; top = open.length - 1) {
    const docs = open[top] as ReadonlyArray<Doc>;
    let at = positions[top] as number;
    let doc = docs[at];
    for (; typeof doc === 'string'; doc = docs[++at]) {
      pieces.push(doc);
      if (pieces.length === PIECES_A_CHUNK) {
        chunks.push(pieces.join(''));
        pieces = [];
      }
    }
    if (doc === undefined) {
      open.pop();
      positions.pop();
    } else {
      positions[top] = at + 1;
      open.push(doc);
      positions.push(0);
    }
  }
  chunks.push(pieces.join(''));
  return chunks.join('');
}
