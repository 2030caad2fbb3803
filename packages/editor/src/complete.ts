/** Completes text at an offset. */
import { type AttrField, attrText, describeType, type OpInfo } from '@baton/ir';
import { fusionColumn } from '@baton/ops';
import { relayWords, type Tokens, tokenText, type Visible } from '@baton/text';
import { attributeFact, headOf } from './describe.ts';
import { documentOf, type RelayDocument } from './document.ts';
import { callAround, expectedAfter, openerBefore } from './place.ts';
import { rangeOf, type TextRange, tokenBefore } from './range.ts';

export type CompletionKind =
  | 'operator'
  | 'attribute'
  | 'value'
  | 'variable'
  | 'function'
  | 'constructor'
  | 'keyword'
  | 'type'
  | 'dtype';

export interface Completion {
  /** The shown text, which is inserted unless `insert` differs. */
  readonly label: string;
  readonly kind: CompletionKind;
  readonly insert: string;
  /** A type, or the arguments of an operator. */
  readonly detail: string | undefined;
  readonly doc: string | undefined;
}

/** Completions for a range, which contains the word that was begun. */
export interface Completions extends TextRange {
  readonly items: ReadonlyArray<Completion>;
}

/** The most variables that are offered, the innermost first. */
const MAX_VARIABLES = 500;

/** The most variables whose types are shown. */
const MAX_TYPED = 100;

/** The longest word that is searched for before the cursor. */
const MAX_WORD = 256;

/**
 * Completions at an offset; they replace the word before it. Returns everything that fits there,
 * whatever the word: an editor filters.
 *
 * **Complexity** linear in the text.
 */
export function completeAt(of: string | RelayDocument, offset: number): Completions {
  const document = documentOf(of);
  const { tokens } = document.reading;
  const { text } = document;
  const range = wordAt(text, Math.max(0, Math.min(offset, text.length)));
  const last = lastBefore(tokens, range.from);
  if (isOutside(tokens, last, range)) return { ...range, items: [] };
  const place: Place = { document, last, next: last + 1, range };
  const word = text.slice(range.from, range.to);
  return itemsAt(place, word);
}

/** A position between two tokens. */
interface Place {
  readonly document: RelayDocument;
  /** The last token before the word; −1 if there is none. */
  readonly last: number;
  /** The token of the word, or the first one after the position. */
  readonly next: number;
  readonly range: TextRange;
}

/** A word that was begun: a variable, or a name with its dots, perhaps in quotes. */
const BEGUN = /%[A-Za-z0-9_]*(?:\/[A-Za-z_][A-Za-z0-9_]*)*$|[@"]?[A-Za-z0-9_.]*$/;

/** The begun word before an offset, with its sigil, and the rest of it after the offset. */
function wordAt(text: string, offset: number): TextRange {
  const before = BEGUN.exec(text.slice(Math.max(0, offset - MAX_WORD), offset))?.[0] ?? '';
  const after = text.slice(offset, offset + MAX_WORD);
  const rest = before.startsWith('%') ? /^[A-Za-z0-9_]*/ : /^[A-Za-z0-9_.]*/;
  const length = rest.exec(after)?.[0].length ?? 0;
  // A string is replaced with its quotes.
  const isClosed = before.startsWith('"') && after[length] === '"';
  return { from: offset - before.length, to: offset + length + (isClosed ? 1 : 0) };
}

/** The last token that ends at or before an offset. */
function lastBefore(tokens: Tokens, offset: number): number {
  let token = tokenBefore(tokens, offset);
  while (token >= 0 && (tokens.ends[token] as number) > offset) token--;
  // The end of the text does not count as a token.
  return tokens.kinds[token] === 'eof' ? token - 1 : token;
}

/**
 * Whether a position is in a comment, in a string that no value can complete, or in the metadata.
 */
function isOutside(
  { source, ends, starts, metadataAt }: Tokens,
  last: number,
  at: TextRange,
): boolean {
  if (metadataAt !== undefined && at.from >= metadataAt) return true;
  const next = starts[last + 1];
  if (next !== undefined && next < at.from) return true;
  const gap = source.text.slice(last < 0 ? 0 : ends[last], at.from);
  const comment = Math.max(gap.lastIndexOf('//'), gap.lastIndexOf('#'));
  if (comment >= 0 && !gap.includes('\n', comment)) return true;
  return gap.lastIndexOf('/*') > gap.lastIndexOf('*/');
}

function itemsAt(place: Place, word: string): Completions {
  const { document, last, range } = place;
  const { tokens } = document.reading;
  const valued = valuesAt(place);
  if (valued !== undefined) return { ...range, items: valued };
  if (word.startsWith('"')) return { ...range, items: [] };
  const expected = expectedAfter(tokens, last);
  const items = ((): ReadonlyArray<Completion> => {
    if (word.startsWith('@')) return expected === 'nothing' ? [] : globals(document);
    if (word.startsWith('%')) return expected === 'nothing' ? [] : variables(place);
    switch (expected) {
      case 'nothing':
        return [];
      case 'definition':
        return definers();
      case 'start':
        return [...definers(), ...expressions(place)];
      case 'kind':
        return relayWords.kinds.map((kind) => item('type', kind));
      case 'relation':
        return relations(document);
      case 'type':
        return types(place);
      case 'argument':
        return [...attributes(place), ...expressions(place)];
      case 'expression':
        return expressions(place);
    }
  })();
  return { ...range, items };
}

const item = (
  kind: CompletionKind,
  label: string,
  { insert = label, detail, doc }: Partial<Completion> = {},
): Completion => ({ label, kind, insert, detail, doc });

/** The version of the language and the beginnings of definitions. */
const definers = (): ReadonlyArray<Completion> => [
  item('keyword', '#[version = "0.0.5"]', { detail: 'the version of the language' }),
  ...relayWords.definitions.map((word) => item('keyword', word, { insert: `${word} ` })),
];

const expressions = (place: Place): ReadonlyArray<Completion> => [
  ...variables(place),
  ...globals(place.document),
  ...constructors(place.document),
  ...operators(place.document),
  ...keywords(),
];

/** The keywords of expressions, and the words that are values. */
const keywords = (): ReadonlyArray<Completion> =>
  [...relayWords.keywords, ...relayWords.values]
    .filter((word) => !relayWords.definitions.includes(word))
    .map((word) => item('keyword', word));

/** The variables, bindings of the graph and free variables in scope, the innermost first. */
function variables({ document, last, next }: Place): ReadonlyArray<Completion> {
  const { notes, tokens } = document.reading;
  const own = binderBefore(tokens, last);
  const seen = new Set<string>();
  const found: Visible[] = [];
  const { visible } = notes;
  for (let i = visible.length - 1; i >= 0 && found.length < MAX_VARIABLES; i--) {
    const one = visible[i] as Visible;
    const isVariable = one.name.startsWith('%') && one.name.length > 1;
    if (!isVariable || seen.has(one.name) || one.from > next || one.to < next) continue;
    if (own !== undefined && placeOf(one, document) === own) continue;
    seen.add(one.name);
    found.push(one);
  }
  const { typeOf } = document.typing();
  return found.map(({ name, mention }, i) => {
    const node = 'node' in mention && mention._tag !== 'TypeVariable' ? mention.node : undefined;
    const type = node === undefined || i >= MAX_TYPED ? undefined : typeOf(node);
    return item('variable', name, { detail: type && describeType(type) });
  });
}

function placeOf({ mention }: Visible, { reading: { tokens } }: RelayDocument): number | undefined {
  if (mention._tag === 'Graph') return rangeOf(tokens, mention.span)?.from;
  return mention._tag === 'Local' ? rangeOf(tokens, mention.node.span)?.from : undefined;
}

/**
 * The offset of the name that the statement at a token binds, which is not in scope in its own
 * value, unless that is a function.
 */
function binderBefore({ kinds, partners, starts }: Tokens, last: number): number | undefined {
  for (let i = last; i >= 0; i--) {
    const kind = kinds[i];
    if (kind === ';' || kind === '{') return undefined;
    if (kind === '=' && kinds[i + 1] === 'fn') return undefined;
    if (kind === 'let' && kinds[i + 1] === 'local') return starts[i + 1];
    if (kind === 'graph' && kinds[i + 1] === '=') return starts[i];
    const partner = partners[i] as number;
    if (partner >= 0 && partner < i) i = partner;
  }
  return undefined;
}

function globals({ reading, typing }: RelayDocument): ReadonlyArray<Completion> {
  const { module, places } = reading;
  const names = new Set([...places.globals.keys(), ...module.functions.keys()]);
  return [...names].map((name, i) => {
    const f = module.functions.get(name);
    const type = f === undefined || i >= MAX_TYPED ? undefined : typing().typeOf(f);
    return item('function', `@${name}`, { detail: type && describeType(type) });
  });
}

const constructors = ({ reading: { module } }: RelayDocument): ReadonlyArray<Completion> =>
  [...module.constructors].map(([name, { inputs, belongTo }]) => {
    const fields = inputs.length === 0 ? '' : `(${inputs.map(describeType).join(', ')})`;
    return item('constructor', name, { detail: `${name}${fields} of ${belongTo.nameHint}` });
  });

const operators = ({ ops }: RelayDocument): ReadonlyArray<Completion> =>
  ops.names.flatMap((name) => {
    const op = ops.get(name);
    if (op === undefined) return [];
    const fusion = ops.read(fusionColumn, name);
    const doc = fusion === undefined ? op.doc : `${op.doc}\n\nfusion pattern: ${fusion}`;
    return [item('operator', name, { detail: headOf(op), doc })];
  });

/** Type relations, including those of operators. */
const relations = ({ ops }: RelayDocument): ReadonlyArray<Completion> =>
  [...new Set([...relayWords.relations, ...ops.relationNames, ...ops.names])].map((name) =>
    item('type', name, { detail: 'a type relation' }),
  );

/** The attributes of the called operator, except those already written. */
function attributes({ document, last, next, range }: Place): ReadonlyArray<Completion> {
  const around = callAround(document, last);
  if (around === undefined) return [];
  const { tokens } = document.reading;
  const isOverName = tokens.starts[next] === range.from && tokens.kinds[next + 1] === '=';
  const written = writtenIn(tokens, around.opener, isOverName ? next : -1);
  return around.op.attrs.fields
    .filter(({ name }) => !written.has(name))
    .map((field) => attributeItem(around.op, field, isOverName));
}

/** An attribute with the `=` after it, which may be in the text already. */
function attributeItem(op: OpInfo, field: AttrField, hasSign: boolean): Completion {
  const { name, expects, defaultValue, doc } = attributeFact(field);
  const what = defaultValue === undefined ? 'required' : `default ${defaultValue}`;
  return item('attribute', `${name}=`, {
    insert: hasSign ? name : `${name}=`,
    detail: `${expects}, ${what}`,
    doc: doc ?? `An attribute of ${op.name}.`,
  });
}

/** The names before a `=` in a list of arguments, except the one at token `own`. */
function writtenIn(tokens: Tokens, opener: number, own: number): ReadonlySet<string> {
  const { kinds, partners } = tokens;
  const names = new Set<string>();
  for (let i = opener + 1; i < kinds.length; i = Math.max(i, partners[i] as number) + 1) {
    const kind = kinds[i];
    if (kind === ')' || kind === ';' || kind === 'def') break;
    if (kinds[i + 1] === '=' && i !== own) names.add(tokenText(tokens, i));
  }
  return names;
}

/** `undefined` if the token before is not the `=` of an attribute. */
function valuesAt({ document, last }: Place): ReadonlyArray<Completion> | undefined {
  const { kinds } = document.reading.tokens;
  if (kinds[last] !== '=' || kinds[last - 1] === 'graph' || kinds[last - 1] === 'local') {
    return undefined;
  }
  const { tokens } = document.reading;
  if (kinds[openerBefore(tokens, last)] !== '(') return undefined;
  const around = callAround(document, last);
  const name = tokenText(tokens, last - 1);
  const field = around?.op.attrs.fields.find((one) => one.name === name);
  if (field === undefined) return kinds[last - 1] === 'name' ? [] : undefined;
  const { expects, defaultValue } = attributeFact(field);
  const texts = (field.options ?? []).map((value) => attrText(value, field.isFloat));
  const all = new Set([...(defaultValue === undefined ? [] : [defaultValue]), ...texts]);
  return [...all].map((text) =>
    item('value', text, { detail: text === defaultValue ? `the default, ${expects}` : expects }),
  );
}

function types({ document, next }: Place): ReadonlyArray<Completion> {
  const { notes, module } = document.reading;
  const variables = notes.visible.filter(
    ({ name, from, to }) => !name.startsWith('%') && from <= next && next <= to,
  );
  const names = new Set([...variables.map(({ name }) => name), ...module.typeDefinitions.keys()]);
  return [
    ...[...names].map((name) => item('type', name)),
    item('type', 'Tensor', { insert: 'Tensor[(', detail: 'Tensor[(2, 3), float32]' }),
    item('keyword', 'fn', { detail: 'fn (int32) -> int32' }),
    item('keyword', 'ref', { detail: 'ref(int32)' }),
    ...relayWords.dtypes.map((name) => item('dtype', name)),
  ];
}
