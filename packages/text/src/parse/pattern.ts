/** The language of patterns: expressions with holes `?x`, in which every bare name is an operator. */
import { opRef } from '@baton/ir';
import { isNamePart, isNameStart } from '../tokens/chars.ts';
import { push, relayLexis } from '../tokens/lexer.ts';
import type { Dialect } from './parser.ts';
import { relay } from './relay.ts';

export const pattern: Dialect = {
  ...relay,
  lexis: {
    ...relayLexis,
    lexOwn: (s, c) => {
      if (c !== 63 || !isNameStart(s.text.charCodeAt(s.at + 1))) return false;
      let end = s.at + 2;
      while (isNamePart(s.text.charCodeAt(end))) end++;
      push(s, 'local', s.at, end);
      return true;
    },
  },
  isOpen: true,
  // Attributes may be holes.
  readsFlat: false,
  meaningOf: (_, name, span) => opRef(name, span),
};
