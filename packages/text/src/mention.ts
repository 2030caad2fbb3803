/**
 * The places at which expressions mention their parts: when a message needs one, the text of the
 * expression is cut into tokens again.
 */
import { type SourceText, type TextSpan, textSpan } from '@baton/base';
import { childAt, type Expr, resultOf } from '@baton/ir';
import { lex } from './tokens/lexer.ts';
import { type TokenKind, type Tokens, tokenSpan, tokenText } from './tokens/tokens.ts';

/** A program text that can find the uses of variables in its expressions. */
export const irText = (name: string, text: string): SourceText => ({ name, text, mentionOf });

/** A longer expression is not searched: a message marks all of it. */
const MAX_CHARACTERS = 100_000;

/** The span of a variable or a graph binding in the text of the expression that mentions it. */
function mentionOf(parent: Expr, index: number, whole: TextSpan): TextSpan | undefined {
  const part = resultOf(childAt(parent, index));
  const text = textOf(whole);
  if (part === undefined || text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const { tokens } = lex({ name: whole.source.name, text });
  const found = rangeOf(tokens, parent, index);
  const range = found === undefined ? undefined : bare(tokens, found);
  if (range === undefined || !isMention(tokens, range, part)) return undefined;
  const { line, column, endLine, endColumn } = tokenSpan(tokens, range.first, range.last);
  const moved = (at: number, onLine: number): number => at + (onLine === 1 ? whole.column - 1 : 0);
  return textSpan(
    whole.source,
    line + whole.line - 1,
    moved(column, line),
    endLine + whole.line - 1,
    moved(endColumn, endLine),
  );
}

/** The characters of a span, if the text has them. */
function textOf({ source, line, column, endLine, endColumn }: TextSpan): string | undefined {
  const start = lineStart(source, 1, 0, line);
  if (start === undefined) return undefined;
  const end = lineStart(source, line, start, endLine);
  return end === undefined ? undefined : source.text.slice(start + column - 1, end + endColumn - 1);
}

/** The offset of the first character of line `to`, given the offset of an earlier line. */
function lineStart(
  { text }: SourceText,
  from: number,
  offset: number,
  to: number,
): number | undefined {
  let start = offset;
  for (let line = from; line < to; line++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
  }
  return start;
}

interface TokenRange {
  readonly first: number;
  readonly last: number;
}

/** The tokens of part `index` of an expression with these tokens, as far as its form shows. */
function rangeOf(tokens: Tokens, parent: Expr, index: number): TokenRange | undefined {
  const { kinds, partners } = tokens;
  const last = kinds.length - 2;
  const opener = partners[last] ?? -1;
  const group: TokenRange = { first: opener + 1, last: last - 1 };
  switch (parent._tag) {
    case 'Call': {
      const { op, args } = parent;
      if (op._tag === 'Op' && tokenText(tokens, 0) !== op.name) {
        // Between operands, a part of one token stands at the start or at the end.
        return index === 0 ? { first: 0, last: 0 } : { first: last, last };
      }
      if (kinds[last] !== ')' || opener < 1) return undefined;
      if (index === args.length) return { first: 0, last: opener - 1 };
      return pieces(tokens, group, ',')[index];
    }
    case 'TupleGetItem':
      return { first: 0, last: last - 2 };
    case 'Function':
      return opener < 0 ? undefined : group;
    case 'If':
      return armOf(tokens, index);
    case 'Match': {
      if (opener < 2) return undefined;
      if (index === 0) return { first: 1, last: opener - 1 };
      const clause = pieces(tokens, group, ',')[index - 1];
      return clause && pieces(tokens, clause, '=>').at(-1);
    }
    case 'Let': {
      const value = pieces(tokens, { first: 0, last }, ';')[0];
      return index > 0 ? { first: 0, last } : value && pieces(tokens, value, '=').at(-1);
    }
    default:
      return opener < 0 ? undefined : pieces(tokens, group, ',')[index];
  }
}

/** The condition or a branch of `if (c) { a } else { b }`. */
function armOf({ kinds, partners }: Tokens, index: number): TokenRange | undefined {
  const condition = partners[1] ?? -1;
  if (index === 0) return condition < 0 ? undefined : { first: 2, last: condition - 1 };
  const taken = partners[condition + 1] ?? -1;
  if (condition < 0 || taken < 0) return undefined;
  if (index === 1) return { first: condition + 2, last: taken - 1 };
  const other = taken + 2;
  return kinds[other] === '{' ? { first: other + 1, last: (partners[other] ?? 0) - 1 } : undefined;
}

/** The parts of a range between separators, not counting those in inner brackets. */
function pieces(
  { kinds, partners }: Tokens,
  { first, last }: TokenRange,
  separator: TokenKind,
): ReadonlyArray<TokenRange> {
  const found: TokenRange[] = [];
  let start = first;
  for (let i = first; i <= last; i = Math.max(i, partners[i] ?? -1) + 1) {
    if (kinds[i] !== separator) continue;
    found.push({ first: start, last: i - 1 });
    start = i + 1;
  }
  if (start <= last) found.push({ first: start, last });
  return found;
}

/** The result of a range that may be a block or in parentheses. */
function bare(tokens: Tokens, range: TokenRange): TokenRange | undefined {
  const { kinds, partners } = tokens;
  for (let at: TokenRange | undefined = range; at !== undefined; ) {
    at = pieces(tokens, at, ';').at(-1);
    if (at === undefined) return undefined;
    const isBracket = kinds[at.first] === '(' || kinds[at.first] === '{';
    if (!isBracket || partners[at.first] !== at.last) return at;
    at = { first: at.first + 1, last: at.last - 1 };
  }
  return undefined;
}

/** Whether the tokens mention this part: a pass may have replaced it. */
function isMention(tokens: Tokens, { first, last }: TokenRange, part: Expr): boolean {
  if (first !== last) return false;
  return part._tag === 'Var'
    ? tokenText(tokens, first) === `%${part.nameHint}`
    : tokens.kinds[first] === 'graph';
}
