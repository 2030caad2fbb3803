/** The functions, types and bindings of a text, for outlines. */
import { type TokenKind, type Tokens, tokenText } from '@baton/text';
import { type Definition, definitionsOf, documentOf, type RelayDocument } from './document.ts';
import { type TextRange, tokenRange } from './range.ts';

/** A definition or a binding; its own range includes all of it. */
export interface TextSymbol extends TextRange {
  /** With its sigil, `@main` or `%x`; without one for a type. */
  readonly name: string;
  readonly kind: 'function' | 'type' | 'constructor' | 'binding';
  readonly nameRange: TextRange;
  /** The bindings of a function at any depth, in order; the constructors of a type. */
  readonly children: ReadonlyArray<TextSymbol>;
}

/**
 * The definitions of a text with their bindings, in order; the bindings themselves if the text is
 * an expression. Broken definitions are included if they have names.
 *
 * **Complexity** linear in the text.
 */
export function symbolsOf(of: string | RelayDocument): ReadonlyArray<TextSymbol> {
  const { tokens } = documentOf(of).reading;
  const definitions = definitionsOf({ tokens });
  if (definitions.length === 0) return bindingsIn(tokens, 0, tokens.kinds.length - 1);
  return definitions.flatMap((one) => {
    if (one.name === undefined) return [];
    const children =
      one.kind === 'function'
        ? bindingsIn(tokens, one.nameAt + 1, one.last)
        : constructorsIn(tokens, one);
    return [symbol(tokens, one.kind, one, one.nameAt, children)];
  });
}

function symbol(
  tokens: Tokens,
  kind: TextSymbol['kind'],
  { first, last }: Pick<Definition, 'first' | 'last'>,
  nameAt: number,
  children: ReadonlyArray<TextSymbol>,
): TextSymbol {
  return {
    from: tokens.starts[first] as number,
    to: tokens.ends[Math.max(last, nameAt)] as number,
    name: tokenText(tokens, nameAt),
    kind,
    nameRange: tokenRange(tokens, nameAt),
    children,
  };
}

/** `let %x = ..;` and `%0 = ..;` between two tokens. */
function bindingsIn(tokens: Tokens, first: number, last: number): ReadonlyArray<TextSymbol> {
  const { kinds } = tokens;
  const found: { readonly first: number; readonly nameAt: number; last: number }[] = [];
  // The bindings without an end so far, by the number of brackets around them.
  const open: { readonly depth: number; readonly index: number }[] = [];
  const close = (depth: number, end: number): void => {
    for (let top = open.at(-1); top !== undefined && top.depth >= depth; top = open.at(-1)) {
      (found[top.index] as { last: number }).last = end;
      open.pop();
    }
  };
  let depth = 0;
  for (let i = first; i <= last; i++) {
    const kind = kinds[i] as TokenKind;
    if (kind === '(' || kind === '[' || kind === '{') depth++;
    else if (kind === ')' || kind === ']' || kind === '}') close(depth--, i - 1);
    else if (kind === ';') close(depth, i);
    const isLet = (kind === 'let' || kind === 'free_var') && kinds[i + 1] === 'local';
    if (!isLet && !(kind === 'graph' && kinds[i + 1] === '=')) continue;
    open.push({ depth, index: found.length });
    found.push({ first: i, nameAt: isLet ? i + 1 : i, last });
  }
  return found.map((one) => symbol(tokens, 'binding', one, one.nameAt, []));
}

function constructorsIn(tokens: Tokens, { nameAt, last }: Definition): ReadonlyArray<TextSymbol> {
  const { kinds, partners } = tokens;
  const found: TextSymbol[] = [];
  let isInside = false;
  for (let i = nameAt + 1; i <= last; i++) {
    const kind = kinds[i] as TokenKind;
    if (kind === '{') {
      isInside = true;
      continue;
    }
    const isName = isInside && kind === 'name';
    const end = isName && kinds[i + 1] === '(' ? Math.max(i, partners[i + 1] as number) : i;
    if (isName) found.push(symbol(tokens, 'constructor', { first: i, last: end }, i, []));
    i = isName ? end : Math.max(i, partners[i] as number);
  }
  return found;
}
