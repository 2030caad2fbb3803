/** The ends of bindings, and what a binding that broke off leaves behind. */
import { type Expr, incompleteType, type Var, variable } from '@baton/ir';
import { tokenSpan, tokenText } from '../tokens/tokens.ts';
import { placeholder } from './names.ts';
import { accept, isSyntaxError, type ParserState, peek, startsLine, unexpected } from './state.ts';

/** A let that waits for its body. */
export interface OpenLet {
  readonly binder: Var;
  readonly value: Expr;
  readonly first: number;
}

/** Whether the next token ends a sequence. */
export function endsSequence(s: ParserState): boolean {
  const kind = peek(s);
  return kind === '}' || kind === ')' || kind === ']' || kind === 'eof' || kind === 'def';
}

/** Whether `%1 =` follows, or in the legacy dialect `%name =` or `name =`. */
export function isGraphBindingAhead(s: ParserState): boolean {
  const kind = peek(s);
  const isName = kind === 'graph' || (s.isLegacy && (kind === 'local' || kind === 'name'));
  return isName && peek(s, 1) === '=';
}

/** Whether a binding follows. */
const isBindingAhead = (s: ParserState): boolean =>
  peek(s) === 'let' || peek(s) === 'free_var' || isGraphBindingAhead(s);

/**
 * The `;` of a binding. One that is missing before the next binding costs no more than that. In the
 * legacy dialect the end of the line or of the block does as well, and `;;` is `;`.
 */
export function endBinding(s: ParserState): void {
  if (accept(s, ';')) {
    skipSecondSemicolon(s);
    return;
  }
  if (s.isLegacy && (startsLine(s) || peek(s) === '}' || peek(s) === 'eof')) return;
  const isNext = isBindingAhead(s);
  try {
    unexpected(s, '`;`');
  } catch (thrown) {
    if (!isSyntaxError(thrown) || !isNext) throw thrown;
  }
}

/** The second half of `;;`, after the first. */
export function skipSecondSemicolon(s: ParserState): void {
  if (s.isLegacy && s.tokens.starts[s.at] === s.tokens.ends[s.at - 1]) accept(s, ';');
}

/** Declares what the binding at `first` would have bound, so that its uses raise no more errors. */
export function recoverBinding(s: ParserState, first: number): void {
  const { kinds } = s.tokens;
  const kind = kinds[first];
  const nameAt = kind === 'let' || kind === 'free_var' ? first + 1 : first;
  const text = tokenText(s.tokens, nameAt);
  // A name whose sigil was forgotten is used with it.
  const isBare = kinds[nameAt] === 'name' && (s.isLegacy || nameAt > first);
  const isNamed = kinds[nameAt] === 'local' || isBare;
  const name = text.replace(/^%/, '');
  if (nameAt > first) {
    if (isNamed) s.locals.declare(name, variable(name, incompleteType()));
    return;
  }
  if (kinds[first + 1] !== '=' || !(kind === 'graph' || (s.isLegacy && isNamed))) return;
  const key = graphKey(text);
  const span = tokenSpan(s.tokens, nameAt);
  if (!s.graph.has(key)) s.graph.set(key, { value: placeholder(), span });
}

/** The name of a graph binding as the table knows it: `%1`, `%name`. */
export const graphKey = (text: string): string => (text.startsWith('%') ? text : `%${text}`);

/** Whether reading may go on here after an error in the binding at `first`: a line that binds. */
export const isNextLegacyLine = (s: ParserState, first: number): boolean =>
  s.isLegacy && s.at > first && startsLine(s) && (isBindingAhead(s) || peek(s) === 'ret');
