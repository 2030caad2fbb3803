/** Describes the name, operator, attribute or literal at an offset. */
import {
  type Call,
  type Constructor,
  describeType,
  type Expr,
  type OpInfo,
  type Type,
} from '@baton/ir';
import { type Mention, tokenText } from '@baton/text';
import {
  type AttributeFact,
  attributeFact,
  callFacts,
  dtypeFacts,
  type Fact,
  headOf,
  operatorFacts,
  typeFacts,
} from './describe.ts';
import { documentOf, type RelayDocument } from './document.ts';
import { attributeAt, tokenAt } from './place.ts';
import { shortened, type TextRange, tokenRange } from './range.ts';

/** The kind of a hover's subject. */
export type HoverKind =
  | 'variable'
  | 'function'
  | 'operator'
  | 'attribute'
  | 'constructor'
  | 'literal'
  | 'type'
  | 'dtype';

/** A description of a range of the text. */
export interface Hover extends TextRange {
  readonly kind: HoverKind;
  /** A line of Relay: `%x: Tensor[(2, 3), float32]`. */
  readonly title: string;
  /** One or two sentences. */
  readonly doc: string | undefined;
  /** The type of the value, or of the call of the operator. */
  readonly type: string | undefined;
  readonly facts: ReadonlyArray<Fact>;
  readonly attributes: ReadonlyArray<AttributeFact>;
}

/** The most characters of the text that a title quotes. */
const MAX_QUOTED = 200;

/**
 * The description of the token at an offset; `undefined` for punctuation, comments and names
 * without a meaning.
 *
 * **Complexity** linear in the text, for its types, once for a document.
 */
export function hoverAt(of: string | RelayDocument, offset: number): Hover | undefined {
  const document = documentOf(of);
  const token = tokenAt(document, offset);
  if (token === undefined) return undefined;
  const { tokens, notes } = document.reading;
  const range = tokenRange(tokens, token);
  const mention = notes.mentions.get(range.from);
  const found =
    mention === undefined ? aboutWord(document, token) : aboutMention(document, mention, token);
  return found && { ...range, ...NOTHING, ...found };
}

const NOTHING = { doc: undefined, type: undefined, facts: [], attributes: [] };

type About = Pick<Hover, 'kind' | 'title'> & Partial<Hover>;

function aboutMention(document: RelayDocument, mention: Mention, token: number): About | undefined {
  const { reading, ops } = document;
  switch (mention._tag) {
    case 'Local':
      return aboutValue(document, 'variable', `%${mention.node.nameHint}`, mention.node);
    case 'Graph':
      return aboutGraph(document, mention.name, mention.node);
    case 'Global': {
      const name = mention.node.nameHint;
      const f = reading.module.functions.get(name);
      if (f !== undefined) return aboutValue(document, 'function', `@${name}`, f);
      return { kind: 'function', title: `@${name}` };
    }
    case 'Operator': {
      const op = ops.get(mention.node.name);
      return op && aboutOperator(document, op, callOf(document, mention.node));
    }
    case 'Constructor':
      return aboutConstructor(mention.node);
    case 'Literal':
      return aboutValue(document, 'literal', quoted(document, token), mention.node);
    case 'TypeVariable':
      return { kind: 'type', title: `${mention.node.nameHint}: ${mention.node.kind}` };
    case 'DataType':
      return aboutDataType(document, mention.name);
  }
}

/** A binding of the graph, with the call that it names. */
function aboutGraph(document: RelayDocument, name: string, node: Expr): About {
  const about = aboutValue(document, 'variable', name, node);
  if (node._tag !== 'Call' || node.op._tag !== 'Op') return about;
  const type = document.typing().typeOf(node);
  const facts = callFacts(node, document.ops, document.typing().typeOf, type);
  const op = { label: 'operator', value: node.op.name };
  return { ...about, facts: [...(about.facts ?? []), op, ...facts] };
}

/** The characters of a token, shortened. */
const quoted = ({ reading: { tokens } }: RelayDocument, token: number): string =>
  shortened(tokenText(tokens, token), MAX_QUOTED);

function aboutValue(document: RelayDocument, kind: HoverKind, name: string, node: Expr): About {
  const type = document.typing().typeOf(node);
  if (type === undefined) return { kind, title: name };
  const text = describeType(type);
  return { kind, title: `${name}: ${text}`, type: text, facts: typeFacts(type) };
}

function callOf({ reading: { notes } }: RelayDocument, callee: Expr): Call | undefined {
  const found = notes.calls.get(callee);
  return found?._tag === 'Call' ? found : undefined;
}

function aboutOperator(document: RelayDocument, op: OpInfo, call: Call | undefined): About {
  const { ops } = document;
  const { typeOf } = document.typing();
  const type: Type | undefined = call && typeOf(call);
  const ofCall = call === undefined ? [] : callFacts(call, ops, typeOf, type);
  return {
    kind: 'operator',
    title: headOf(op),
    doc: op.doc,
    type: type && describeType(type),
    facts: [...(type === undefined ? [] : typeFacts(type)), ...ofCall, ...operatorFacts(op, ops)],
    attributes: op.attrs.fields.map(attributeFact),
  };
}

function aboutConstructor({ nameHint, inputs, belongTo }: Constructor): About {
  const fields = inputs.length === 0 ? '' : `(${inputs.map(describeType).join(', ')})`;
  return {
    kind: 'constructor',
    title: shortened(`${nameHint}${fields}`, MAX_QUOTED),
    facts: [{ label: 'constructor of', value: belongTo.nameHint }],
  };
}

function aboutDataType({ reading: { module } }: RelayDocument, name: string): About {
  const data = module.typeDefinitions.get(name);
  const names = data?.typeVars.map(({ nameHint }) => nameHint) ?? [];
  const title = names.length === 0 ? `type ${name}` : `type ${name}[${names.join(', ')}]`;
  const constructors = data?.constructors.map((one) => one.name).join(', ') ?? '';
  const facts = constructors === '' ? [] : [{ label: 'constructors', value: constructors }];
  return { kind: 'type', title, facts };
}

/** A word that the parser does not resolve: an attribute's name, a dtype. */
function aboutWord(document: RelayDocument, token: number): About | undefined {
  const { tokens } = document.reading;
  const attribute = attributeAt(document, token);
  if (attribute !== undefined) return aboutAttribute(attribute.op, attribute.name);
  if (tokens.kinds[token] !== 'name') return undefined;
  const name = tokenText(tokens, token);
  const facts = dtypeFacts(name);
  return facts.length === 0 ? undefined : { kind: 'dtype', title: name, facts };
}

function aboutAttribute(op: OpInfo, name: string): About | undefined {
  const field = op.attrs.fields.find((one) => one.name === name);
  if (field === undefined) return undefined;
  const { expects, defaultValue, doc } = attributeFact(field);
  return {
    kind: 'attribute',
    title: `${op.name}(.., ${name}=${defaultValue ?? '..'})`,
    doc,
    facts: [
      { label: 'takes', value: expects },
      { label: 'default', value: defaultValue ?? 'none: it must be given' },
    ],
  };
}

export function hoverMarkdown({ title, doc, type, kind, facts, attributes }: Hover): string {
  const code = (text: string): string => `\`\`\`relay\n${text}\n\`\`\``;
  const parts = [code(title)];
  if (doc !== undefined) parts.push(doc);
  if (type !== undefined && kind === 'operator') parts.push(`result: \`${type}\``);
  if (attributes.length > 0) parts.push(attributes.map(attributeLine).join('\n'));
  if (facts.length > 0) parts.push(facts.map((f) => `- ${f.label}: ${f.value}`).join('\n'));
  return parts.join('\n\n');
}

const attributeLine = ({ name, expects, defaultValue, doc }: AttributeFact): string => {
  const what = defaultValue === undefined ? 'required' : `default \`${defaultValue}\``;
  return `- \`${name}\`: ${expects}, ${what}${doc === undefined ? '' : `. ${doc}`}`;
};
