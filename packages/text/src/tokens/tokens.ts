/** The tokens of a text in parallel arrays: one entry per token, the last one `eof`. */
import { type SourceText, type TextSpan, textSpan } from '@baton/base';

/** Words that are never names ([language §2](https://batonjs.github.io/baton/spec/language#2)). */
export const KEYWORDS = [
  'let',
  'fn',
  'def',
  'if',
  'else',
  'type',
  'match',
  'extern',
  'free_var',
  'ref',
  'ref_read',
  'ref_write',
] as const;

/** Signs, the longer ones first. */
export const SIGNS = [
  '=>',
  '->',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  ',',
  ';',
  ':',
  '.',
  '=',
  '+',
  '-',
  '*',
  '/',
  '<',
  '>',
  '!',
  '?',
] as const;

/** The kind of a token. Keywords and signs are their own kinds. */
export type TokenKind =
  | (typeof KEYWORDS)[number]
  | (typeof SIGNS)[number]
  | 'match?'
  /** Keywords of the legacy dialect only. */
  | 'attributes'
  | 'case'
  | 'data'
  | 'ret'
  /** The version of the language as one token: `#[version = ".."]`. */
  | 'header'
  /** `%x` */
  | 'local'
  /** `%0` */
  | 'graph'
  /** `@f` */
  | 'global'
  /** A bare name, dots included. */
  | 'name'
  | '_'
  | 'True'
  | 'False'
  /** A number without point, exponent or float suffix; leading minuses included. */
  | 'int'
  /** Any other number, `inff` and `nanf`. */
  | 'float'
  | 'string'
  | 'eof';

export interface Tokens {
  readonly source: SourceText;
  readonly kinds: ReadonlyArray<TokenKind>;
  /** Offset of the first character. */
  readonly starts: Int32Array;
  /** Offset after the last character. */
  readonly ends: Int32Array;
  /** The line of the token, counting from 0. No token spans lines. */
  readonly lines: Int32Array;
  /** For a bracket, its partner; −1 for other tokens. */
  readonly partners: Int32Array;
  /** Offset of the first character of each line. */
  readonly lineStarts: ReadonlyArray<number>;
  /** The JSON after `#[metadata]`: offset of its first character. */
  readonly metadataAt: number | undefined;
}

export const tokenText = (tokens: Tokens, index: number): string =>
  tokens.source.text.slice(tokens.starts[index], tokens.ends[index]);

/** The range from the first character of token `first` to the last one of token `last`. */
export function tokenSpan(tokens: Tokens, first: number, last: number = first): TextSpan {
  const line = tokens.lines[first] as number;
  const endLine = tokens.lines[last] as number;
  return textSpan(
    tokens.source,
    line + 1,
    (tokens.starts[first] as number) - (tokens.lineStarts[line] as number) + 1,
    endLine + 1,
    (tokens.ends[last] as number) - (tokens.lineStarts[endLine] as number) + 1,
  );
}

/** The range between two offsets of a text, given the offsets of its lines. */
export function offsetSpan(
  source: SourceText,
  lineStarts: ReadonlyArray<number>,
  start: number,
  end: number,
): TextSpan {
  const line = lineOf(lineStarts, start);
  const endLine = lineOf(lineStarts, end);
  return textSpan(
    source,
    line + 1,
    start - (lineStarts[line] as number) + 1,
    endLine + 1,
    end - (lineStarts[endLine] as number) + 1,
  );
}

/** The offset of the first character of a span in this text. */
export const offsetOf = ({ lineStarts }: Pick<Tokens, 'lineStarts'>, span: TextSpan): number =>
  (lineStarts[span.line - 1] ?? 0) + span.column - 1;

/** The offset after the last character of a span in this text. */
export const endOffsetOf = ({ lineStarts }: Pick<Tokens, 'lineStarts'>, span: TextSpan): number =>
  (lineStarts[span.endLine - 1] ?? 0) + span.endColumn - 1;

/** The last line that starts at or before `offset`: binary search. */
function lineOf(lineStarts: ReadonlyArray<number>, offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
