/**
 * The tokens of the legacy dialect only:
 * [language §13.1](https://batonjs.github.io/baton/spec/language#13.1).
 */
import { type Lexer, type Lexis, push, relayLexis, skipLine } from './lexer.ts';

/** The words of the legacy dialect. */
export const legacyLexis: Lexis = {
  keywords: new Map([
    ...relayLexis.keywords,
    ['attributes', 'attributes'],
    ['case', 'case'],
    ['data', 'data'],
    ['fun', 'fn'],
    ['ret', 'ret'],
    ['return', 'ret'],
  ]),
  lexOwn,
};

const HEADER = /v0\.0\.\d{1,9}(?=[ \t]*(?:\r?\n|$))/y;
const METADATA = /METADATA:/y;

/** `v0.0.4` at the very start, `METADATA:` at the start of a line, `#` comments, and `;;`. */
function lexOwn(s: Lexer, c: number): boolean {
  const { text, at } = s;
  switch (c) {
    case 118:
      HEADER.lastIndex = at;
      if (s.kinds.length > 0 || !HEADER.test(text)) return false;
      push(s, 'header', at, HEADER.lastIndex);
      return true;
    case 77: {
      METADATA.lastIndex = at;
      const isFirstOfLine = s.lines[s.kinds.length - 1] !== s.lineStarts.length - 1;
      if (!isFirstOfLine || !METADATA.test(text)) return false;
      s.metadataAt = METADATA.lastIndex;
      return true;
    }
    case 35:
      if (text.charCodeAt(at + 1) === 91) return false;
      skipLine(s);
      return true;
    case 59:
      if (text.charCodeAt(at + 1) !== 59) return false;
      push(s, ';', at, at + 2);
      return true;
    default:
      return false;
  }
}
