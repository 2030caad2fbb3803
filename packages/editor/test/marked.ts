/** Texts with marked offsets. */
import { openDocument, type RelayDocument } from '../src/index.ts';

export const HEADER = '#[version = "0.0.5"]\n';

export function marked(text: string): {
  readonly document: RelayDocument;
  readonly at: number;
  readonly all: ReadonlyArray<number>;
} {
  const pieces = text.split('|');
  const all = pieces.slice(0, -1).map((_, i) => pieces.slice(0, i + 1).join('').length);
  return { document: openDocument(pieces.join('')), at: all[0] ?? 0, all };
}
