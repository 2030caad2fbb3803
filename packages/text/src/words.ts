/** The words and signs of Relay text, for grammars and editors, as the parser reads them. */
import type { ParamKind } from '@baton/ir';
import { DTYPES } from '@baton/tensor';
import { INFIX_SIGNS } from './parse/calls.ts';
import { relay } from './parse/relay.ts';
import { PARAM_KINDS, STANDARD_RELATIONS } from './parse/types.ts';
import { KEYWORDS, SIGNS } from './tokens/tokens.ts';

/** The words and signs of today's language. */
export interface RelayWords {
  /** Words that are never names; `match?` has a question mark besides. */
  readonly keywords: ReadonlyArray<string>;
  /** The keywords with which a definition begins. */
  readonly definitions: ReadonlyArray<string>;
  /** Names with a special meaning in some contexts: before constraints and in constants. */
  readonly contextual: ReadonlyArray<string>;
  readonly values: ReadonlyArray<string>;
  readonly attributeValues: ReadonlyArray<string>;
  readonly kinds: ReadonlyArray<ParamKind>;
  /** The names of element types. A name may add lanes: `float32x4`. */
  readonly dtypes: ReadonlyArray<string>;
  /** The relations that `where` may name besides those of operators. */
  readonly relations: ReadonlyArray<string>;
  /** Every sign, the longer ones first. */
  readonly signs: ReadonlyArray<string>;
  /** The signs between two operands. */
  readonly infix: ReadonlyArray<string>;
}

export const relayWords: RelayWords = {
  keywords: KEYWORDS,
  definitions: ['extern', ...relay.definitions.flatMap(({ keywords }) => keywords)].filter(
    (word, i, all) => all.indexOf(word) === i,
  ),
  contextual: ['where', 'meta', 'Tensor'],
  values: ['True', 'False'],
  attributeValues: [...relay.attrWords.keys()],
  kinds: PARAM_KINDS,
  dtypes: DTYPES,
  relations: [...STANDARD_RELATIONS],
  signs: SIGNS,
  infix: INFIX_SIGNS,
};
