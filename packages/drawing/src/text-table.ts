/** Texts by number, so that a frequent text is stored once. */
import { cut } from './cut.ts';

export interface TextTable {
  /** The number of the text, cut to the length that the page shows. */
  readonly add: (text: string) => number;
  readonly all: () => ReadonlyArray<string>;
}

/** The empty text is number 0. */
export function makeTextTable(): TextTable {
  const numbers = new Map<string, number>([['', 0]]);
  return {
    add: (text) => {
      const shown = cut(text);
      const known = numbers.get(shown);
      if (known !== undefined) return known;
      numbers.set(shown, numbers.size);
      return numbers.size - 1;
    },
    all: () => [...numbers.keys()],
  };
}
