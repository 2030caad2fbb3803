/** Locates an offset of a broken text in the grammar, from the tokens before it. */
import type { OpInfo } from '@baton/ir';
import { type TokenKind, type Tokens, tokenText } from '@baton/text';
import type { RelayDocument } from './document.ts';
import { tokenBefore } from './range.ts';

/** The token at an offset, or the one that ends there. */
export function tokenAt(
  { reading: { tokens } }: RelayDocument,
  offset: number,
): number | undefined {
  for (const at of [offset, offset - 1]) {
    const token = tokenBefore(tokens, at);
    if (token < 0 || tokens.kinds[token] === 'eof') continue;
    if ((tokens.ends[token] as number) > at) return token;
  }
  return undefined;
}

/**
 * The innermost bracket that is open before a token; −1 if there is none.
 *
 * **Complexity** linear in the tokens of that bracket before the token.
 */
export function openerBefore({ kinds, partners }: Tokens, token: number): number {
  for (let i = token; i >= 0; i--) {
    const kind = kinds[i] as TokenKind;
    const partner = partners[i] as number;
    if (partner >= 0 && partner < i) i = partner;
    else if (kind === 'def') return -1;
    else if (kind === '(' || kind === '[' || kind === '{') return i;
  }
  return -1;
}

export interface CallAround {
  readonly op: OpInfo;
  readonly opener: number;
}

/** The operator call in whose list of arguments the token before a position is. */
export function callAround(
  { ops, reading: { tokens } }: RelayDocument,
  token: number,
): CallAround | undefined {
  const { kinds, partners } = tokens;
  const opener = openerBefore(tokens, token);
  if (opener < 1 || kinds[opener] !== '(') return undefined;
  // Type arguments may come between a callee and its arguments.
  const before = opener - 1;
  const calleeAt = kinds[before] === ']' ? (partners[before] as number) - 1 : before;
  if (kinds[calleeAt] !== 'name') return undefined;
  const op = ops.get(tokenText(tokens, calleeAt));
  return op === undefined ? undefined : { op, opener };
}

/** Any word may be the name of an attribute. */
const WORD = /^[A-Za-z_]/;

/** The attribute whose name is this token. */
export function attributeAt(
  document: RelayDocument,
  token: number,
): { readonly op: OpInfo; readonly name: string } | undefined {
  const { tokens } = document.reading;
  if (tokens.kinds[token + 1] !== '=') return undefined;
  const name = tokenText(tokens, token);
  const before = tokens.kinds[token - 1];
  if (!WORD.test(name) || (before !== '(' && before !== ',')) return undefined;
  const around = callAround(document, token - 1);
  return around && { op: around.op, name };
}

/** What may follow a token. */
export type Expected =
  | 'definition'
  | 'start'
  | 'expression'
  /** An expression, or an attribute of the called operator. */
  | 'argument'
  | 'type'
  | 'kind'
  /** A type relation, after `where`. */
  | 'relation'
  /** A new name, or the index of a field. */
  | 'nothing';

const NAMED_NEXT: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(['.', 'let', 'def', 'free_var', 'type', 'extern'] as const),
]);

/**
 * The tokens that may follow token `last`, judging by the tokens before it; −1 is the start of the text.
 *
 * **Complexity** linear in the tokens of the brackets around it.
 */
export function expectedAfter(tokens: Tokens, last: number): Expected {
  const { kinds } = tokens;
  const kind = kinds[last];
  if (kind !== undefined && NAMED_NEXT.has(kind)) return 'nothing';
  if (kind === '->') return 'type';
  if (kind === ':') return kinds[last - 1] === 'name' ? 'kind' : 'type';
  if (isWhere(tokens, last)) return 'relation';
  const opener = openerBefore(tokens, last);
  if (opener >= 0) return insideOf(tokens, opener, last);
  if (kinds.some((one) => one === 'def' || one === 'header')) return 'definition';
  return kind === undefined ? 'start' : 'expression';
}

/** Whether a token is the `where` before constraints: it follows a type, or the parameters. */
function isWhere(tokens: Tokens, token: number): boolean {
  const before = tokens.kinds[token - 1];
  const isAfterType = before === ')' || before === ']' || before === 'name' || before === '_';
  return isAfterType && tokens.kinds[token] === 'name' && tokenText(tokens, token) === 'where';
}

function insideOf(tokens: Tokens, opener: number, last: number): Expected {
  const { kinds } = tokens;
  // Brackets of types, climbed to the token that identifies them.
  for (let at = opener; at >= 0; at = openerBefore(tokens, at - 1)) {
    const kind = kinds[at];
    const before = kinds[at - 1];
    if (kind === '{') return isTypeBody(tokens, at) ? 'nothing' : 'expression';
    if (kind === '[' && before === 'name') return isDefined(kinds, at) ? 'nothing' : 'type';
    if (kind === '[' && (before === 'global' || before === 'local')) {
      return isDefined(kinds, at) ? 'nothing' : 'type';
    }
    const owner = before === 'fn' ? at - 2 : at - 1;
    const isType = kinds[owner] === ':' || kinds[owner] === '->';
    if (isType && kind === '(') return 'type';
    if (before === 'fn' || isDefined(kinds, at)) return 'nothing';
    if (before === 'name') {
      return kinds[last] === '(' || kinds[last] === ',' ? 'argument' : 'expression';
    }
    if (before !== '(' && before !== ',' && before !== '[') return 'expression';
  }
  return 'expression';
}

/** Whether a bracket follows the name of a definition, or of its type parameters. */
function isDefined(kinds: ReadonlyArray<TokenKind>, opener: number): boolean {
  const owner = kinds[opener - 2];
  return owner === 'def' || owner === 'type' || owner === 'extern';
}

function isTypeBody({ kinds, partners }: Tokens, opener: number): boolean {
  const before = opener - 1;
  const nameAt = kinds[before] === ']' ? (partners[before] as number) - 1 : before;
  return kinds[nameAt] === 'name' && kinds[nameAt - 1] === 'type';
}
