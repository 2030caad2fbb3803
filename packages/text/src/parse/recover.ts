/** Recovery after a syntax error: at the next `;`, at the end of the block, at the next `def`. */
import type { TokenKind } from '../tokens/tokens.ts';
import type { Parser } from './parser.ts';

/** The token that ends a sequence of bindings. */
export type Closer = '}' | ')' | ']' | 'eof';

/**
 * Skips the unreadable rest of the statement at token `first`. True after a `;`: the sequence goes
 * on. False at the end of the sequence, of the definition or of the text: its result is missing.
 */
export function skipToNextBinding(s: Parser, closer: Closer, first: number): boolean {
  for (;;) {
    const kind = s.peek();
    if (s.accept(';') || s.dialect.resumesAt(s, first)) return true;
    if (kind === 'eof' || kind === 'def') return false;
    if (kind === closer || (kind === '}' && closer !== 'eof')) return false;
    skipToken(s);
  }
}

/** Skips a token, and the content of its bracket. */
export function skipToken(s: Parser): void {
  const partner = s.tokens.partners[s.at] ?? -1;
  s.at = partner > s.at ? partner + 1 : s.at + 1;
}

const CONTINUES: ReadonlySet<TokenKind> = new Set<TokenKind>([
  '(',
  '[',
  '.',
  '+',
  '-',
  '*',
  '/',
  '<',
  '>',
  '<=',
  '>=',
  '==',
  '!=',
  '&&',
  '||',
]);

/**
 * Whether exactly a function literal follows, as the value of a let: its variable is then in scope
 * inside it.
 * **Complexity** linear in the literal's signature.
 */
export function isFunctionLiteralAhead(s: Parser): boolean {
  const { kinds, partners, lines } = s.tokens;
  if (kinds[s.at] !== 'fn') return false;
  let i = s.at + 1;
  for (; kinds[i] !== '{'; i++) {
    const kind = kinds[i];
    if (kind === undefined || kind === 'eof' || kind === ';' || kind === '}') return false;
    const partner = partners[i] ?? -1;
    if (partner > i) i = partner;
  }
  const end = partners[i] ?? -1;
  if (end <= i) return false;
  const next = kinds[end + 1] ?? 'eof';
  const isOnNextLine =
    s.lineEnds && (next === '(' || next === '[') && lines[end + 1] !== lines[end];
  return isOnNextLine || !CONTINUES.has(next);
}
