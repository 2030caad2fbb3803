/** Finds where a name is defined and used. */
import type { Mention } from '@baton/text';
import { documentOf, type RelayDocument } from './document.ts';
import { tokenAt } from './place.ts';
import { rangeOf, type TextRange, tokenBefore, tokenRange } from './range.ts';

/**
 * The range of the name at the definition or binding of the name at an offset; `undefined` if the
 * text does not define it.
 *
 * **Complexity** linear in the text.
 */
export function definitionAt(of: string | RelayDocument, offset: number): TextRange | undefined {
  const document = documentOf(of);
  const mention = mentionAt(document, offset);
  return mention && placeOf(document, mention);
}

/**
 * The ranges of all mentions of the name at an offset, its definition included, in order.
 *
 * **Complexity** linear in the text.
 */
export function referencesAt(of: string | RelayDocument, offset: number): ReadonlyArray<TextRange> {
  const document = documentOf(of);
  const { tokens, notes } = document.reading;
  const mention = mentionAt(document, offset);
  if (mention === undefined) return [];
  const key = keyOf(mention);
  const found = [...notes.mentions].filter(([, one]) => keyOf(one) === key);
  return found
    .map(([start]) => tokenRange(tokens, tokenBefore(tokens, start)))
    .sort((a, b) => a.from - b.from);
}

function mentionAt(document: RelayDocument, offset: number): Mention | undefined {
  const { tokens, notes } = document.reading;
  const token = tokenAt(document, offset);
  return token === undefined ? undefined : notes.mentions.get(tokens.starts[token] as number);
}

function placeOf({ reading }: RelayDocument, mention: Mention): TextRange | undefined {
  const { tokens, notes, places } = reading;
  switch (mention._tag) {
    case 'Local':
      return rangeOf(tokens, mention.node.span);
    case 'Graph':
      return rangeOf(tokens, mention.span);
    case 'Global':
      return rangeOf(tokens, places.globals.get(mention.node.nameHint));
    case 'Constructor':
      return rangeOf(tokens, places.constructors.get(mention.node.nameHint));
    case 'DataType':
      return rangeOf(tokens, places.dataTypes.get(mention.name));
    case 'TypeVariable': {
      const start = notes.typeVars.get(mention.node);
      return start === undefined ? undefined : tokenRange(tokens, tokenBefore(tokens, start));
    }
    case 'Operator':
    case 'Literal':
      return undefined;
  }
}

/** Equal for two mentions of the same thing. */
function keyOf(mention: Mention): unknown {
  switch (mention._tag) {
    case 'Local':
    case 'TypeVariable':
    case 'Literal':
      return mention.node;
    case 'Graph':
      return mention.span;
    case 'Global':
      return `@${mention.node.nameHint}`;
    case 'Operator':
      return mention.node.name;
    case 'Constructor':
      return `constructor ${mention.node.nameHint}`;
    case 'DataType':
      return `type ${mention.name}`;
  }
}
