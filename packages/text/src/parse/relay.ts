/** Today's language. */
import type { AttrValue } from '@baton/ir';
import { relayLexis } from '../tokens/lexer.ts';
import { KEYWORDS } from '../tokens/tokens.ts';
import { functionForm, typeForm } from './definitions.ts';
import { dtypeNamed } from './dims.ts';
import { readStatement } from './exprs.ts';
import { readClauses } from './matches.ts';
import { declaredName } from './names.ts';
import type { Dialect } from './parser.ts';
import { namedType, readTypeCall } from './types.ts';

export const relay: Dialect = {
  lexis: relayLexis,
  needsVersion: true,
  isOpen: false,
  readsFlat: true,
  definitions: [typeForm, functionForm],
  localNames: new Set(['local']),
  globalNames: new Set(['global']),
  graphNames: new Set(['graph']),
  attrNames: new Set(['name', ...KEYWORDS]),
  attrWords: new Map<string, AttrValue>([
    ['None', null],
    ['nullptr', null],
  ]),
  typeBrackets: new Map([['[', ']']]),
  dtypeNamed,
  meaningOf: declaredName,
  namedType,
  readTypeCall,
  isNoType: () => false,
  readStatement,
  endsBinding: () => false,
  resumesAt: () => false,
  readForm: () => undefined,
  readClauses,
};
