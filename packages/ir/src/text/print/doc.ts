/** Text with indented blocks, built out of order and rendered once. */

/** Text; several in a row; or lines that stand on their own, one step further in. */
export type Doc = string | ReadonlyArray<Doc> | Block;

/** Lines between two brackets. The list may still grow until it is rendered. */
export interface Block {
  readonly _tag: 'Block';
  readonly lines: ReadonlyArray<Doc>;
}

/** Lines, indented, each with a line end; the text before and after is not on them. */
export const block = (lines: ReadonlyArray<Doc>): Block => ({ _tag: 'Block', lines });

/** Docs with a separator between them. */
export const separated = (docs: ReadonlyArray<Doc>, separator = ', '): Doc =>
  docs.flatMap((doc, i) => (i === 0 ? [doc] : [separator, doc]));

/** Deeper lines are not indented further: the text would grow with the square of the depth. */
const MAX_INDENTED_LEVELS = 40;

const indentation = (level: number): string => '  '.repeat(Math.min(level, MAX_INDENTED_LEVELS));

interface Pending {
  readonly doc: Doc;
  readonly level: number;
}

/** The text. **Complexity** linear in it; nesting costs memory and never the stack. */
export function render(root: Doc): string {
  const parts: string[] = [];
  const pending: Pending[] = [{ doc: root, level: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { doc, level } = next;
    if (typeof doc === 'string') parts.push(doc);
    else if ('_tag' in doc) {
      const inner = level + 1;
      pending.push({ doc: `\n${indentation(level)}`, level });
      for (let i = doc.lines.length - 1; i >= 0; i--) {
        pending.push({ doc: doc.lines[i] as Doc, level: inner });
        pending.push({ doc: `\n${indentation(inner)}`, level });
      }
    } else {
      for (let i = doc.length - 1; i >= 0; i--) pending.push({ doc: doc[i] as Doc, level });
    }
  }
  return parts.join('');
}

/** Lines at the left margin. */
export const renderLines = (lines: ReadonlyArray<Doc>): string => render(separated(lines, '\n'));
