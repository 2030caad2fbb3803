/**
 * Text to tokens: [language §2](https://batonjs.github.io/baton/spec/language#2). It is one pass
 * that looks at no token twice.
 */
import type { Diagnostic, SourceText, TextSpan } from '@baton/base';
import {
  missingName,
  nestedTooDeep,
  strayHash,
  unexpectedCharacters,
  unterminatedComment,
  unterminatedString,
} from '../diagnostics.ts';
import { isDigit, isNamePart, isNameStart } from './chars.ts';
import { isSpecialFloat } from './number.ts';
import { KEYWORDS, offsetSpan, SIGNS, type TokenKind, type Tokens } from './tokens.ts';

/** The deepest nesting of brackets. The parser keeps its own stack, so memory is the limit. */
export const MAX_NESTING = 100_000;

/** The most reported errors of one text. */
export const MAX_DIAGNOSTICS = 100;

/** The initial capacity for tokens: most texts in tests and messages are short. */
const FIRST_ROOM = 256;

/** The most characters that a diagnostic quotes. */
const MAX_QUOTED = 20;

export interface Lexed {
  readonly tokens: Tokens;
  readonly diagnostics: ReadonlyArray<Diagnostic>;
}

interface Minuses {
  readonly end: number;
  readonly isSign: boolean;
}

/** The words of a dialect. */
export interface Lexis {
  readonly keywords: ReadonlyMap<string, TokenKind>;
  /** Reads a token of this dialect only that starts with `c`; false if there is none. */
  readonly lexOwn?: (s: Lexer, c: number) => boolean;
}

/** The state of one run over a text. */
export interface Lexer {
  readonly lexis: Lexis;
  readonly source: SourceText;
  readonly text: string;
  readonly kinds: TokenKind[];
  /** These four have spare capacity after the last token. */
  starts: Int32Array;
  ends: Int32Array;
  lines: Int32Array;
  partners: Int32Array;
  readonly lineStarts: number[];
  readonly diagnostics: Diagnostic[];
  /** Open brackets, by token. */
  open: number[];
  at: number;
  /** The latest examined run of minuses. */
  minuses: Minuses;
  metadataAt: number | undefined;
  isTooDeep: boolean;
}

export function lex(source: SourceText, lexis: Lexis = relayLexis): Lexed {
  const { text } = source;
  const s: Lexer = {
    lexis,
    source,
    text,
    kinds: [],
    starts: new Int32Array(FIRST_ROOM),
    ends: new Int32Array(FIRST_ROOM),
    lines: new Int32Array(FIRST_ROOM),
    partners: new Int32Array(FIRST_ROOM),
    lineStarts: [0],
    diagnostics: [],
    open: [],
    at: text.charCodeAt(0) === 0xfeff ? 1 : 0,
    minuses: { end: 0, isSign: false },
    metadataAt: undefined,
    isTooDeep: false,
  };
  while (s.at < text.length && !s.isTooDeep && s.metadataAt === undefined) lexOne(s);
  const end = s.metadataAt ?? (s.isTooDeep ? s.at : text.length);
  // The JSON of the metadata has lines too: spans point into it.
  for (let i = end; i < text.length; i++) if (text.charCodeAt(i) === 10) s.lineStarts.push(i + 1);
  push(s, 'eof', end, end);
  const count = s.kinds.length;
  if (s.metadataAt !== undefined) s.lines[count - 1] = lineOfEnd(s, end);
  return { tokens: tokensOf(s, count), diagnostics: s.diagnostics };
}

const tokensOf = (s: Lexer, count: number): Tokens => ({
  source: s.source,
  kinds: s.kinds,
  starts: s.starts.subarray(0, count),
  ends: s.ends.subarray(0, count),
  lines: s.lines.subarray(0, count),
  partners: s.partners.subarray(0, count),
  lineStarts: s.lineStarts,
  metadataAt: s.metadataAt,
});

/** The line of the end token if lines after it are known already. */
function lineOfEnd(s: Lexer, end: number): number {
  let line = s.lineStarts.length - 1;
  while (line > 0 && (s.lineStarts[line] as number) > end) line--;
  return line;
}

/** The words of today's language. */
export const relayLexis: Lexis = {
  keywords: new Map<string, TokenKind>(
    [...KEYWORDS, '_' as const, 'True' as const, 'False' as const].map((word) => [word, word]),
  ),
};

/** Signs by their first character code, the longer ones first. */
const SIGNS_BY_START: ReadonlyArray<ReadonlyArray<(typeof SIGNS)[number]>> = Array.from(
  { length: 128 },
  (_, code) => SIGNS.filter((sign) => sign.charCodeAt(0) === code),
);

const CLOSER_OF: { readonly [K in TokenKind]?: TokenKind } = { '(': ')', '[': ']', '{': '}' };

/** After one of these a `-` is the binary operator. */
export const OPERANDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'local',
  'graph',
  'global',
  'name',
  '_',
  'True',
  'False',
  'int',
  'float',
  'string',
  ')',
  ']',
  '}',
]);

function lexOne(s: Lexer): void {
  const { text, at } = s;
  const c = text.charCodeAt(at);
  if (c === 32 || c === 9) {
    s.at++;
  } else if (c === 10) {
    s.at++;
    s.lineStarts.push(s.at);
  } else if (c === 13 && text.charCodeAt(at + 1) === 10) {
    s.at++;
  } else if (s.lexis.lexOwn?.(s, c) === true) {
    return;
  } else if (isNameStart(c)) {
    lexName(s);
  } else if (isDigit(c)) {
    lexNumber(s, at);
  } else if (c === 37) {
    lexLocal(s);
  } else if (c === 64) {
    lexGlobal(s);
  } else if (c === 34) {
    lexString(s);
  } else if (c === 47 && text.charCodeAt(at + 1) === 47) {
    skipLine(s);
  } else if (c === 47 && text.charCodeAt(at + 1) === 42) {
    skipBlockComment(s);
  } else if (c === 35) {
    lexHash(s);
  } else if (c === 45 && startsNumber(s)) {
    lexMinuses(s);
  } else lexSign(s, c);
}

/** Steps to the end of the line. */
export function skipLine(s: Lexer): void {
  const end = s.text.indexOf('\n', s.at);
  s.at = end < 0 ? s.text.length : end;
}

/** Adds a token, and steps over it. */
export function push(s: Lexer, kind: TokenKind, start: number, end: number): void {
  const index = s.kinds.length;
  if (index === s.starts.length) grow(s);
  s.kinds.push(kind);
  s.starts[index] = start;
  s.ends[index] = end;
  s.lines[index] = s.lineStarts.length - 1;
  s.partners[index] = -1;
  s.at = end;
}

function grow(s: Lexer): void {
  s.starts = twiceAsLong(s.starts);
  s.ends = twiceAsLong(s.ends);
  s.lines = twiceAsLong(s.lines);
  s.partners = twiceAsLong(s.partners);
}

function twiceAsLong(old: Int32Array): Int32Array {
  const longer = new Int32Array(2 * old.length);
  longer.set(old);
  return longer;
}

function report(s: Lexer, make: (span: TextSpan) => Diagnostic, end: number): void {
  if (s.diagnostics.length > MAX_DIAGNOSTICS) return;
  s.diagnostics.push(make(offsetSpan(s.source, s.lineStarts, s.at, end)));
}

/** The end of the identifier that starts at `at`; a `/` before a letter belongs to it. */
function identifierEnd(text: string, at: number): number {
  let end = at + 1;
  for (;;) {
    const c = text.charCodeAt(end);
    if (isNamePart(c) || (c === 47 && isNameStart(text.charCodeAt(end + 1)))) end++;
    else return end;
  }
}

/** The end of the dotted name that starts at `at`. */
function dottedEnd(text: string, at: number): number {
  let end = identifierEnd(text, at);
  while (text.charCodeAt(end) === 46 && isNameStart(text.charCodeAt(end + 1))) {
    end = identifierEnd(text, end + 1);
  }
  return end;
}

function lexName(s: Lexer): void {
  const { text, at } = s;
  const { keywords } = s.lexis;
  const simpleEnd = identifierEnd(text, at);
  const keyword = keywords.get(text.slice(at, simpleEnd));
  if (keyword === 'match' && text.charCodeAt(simpleEnd) === 63) {
    push(s, 'match?', at, simpleEnd + 1);
  } else if (keyword !== undefined && text.charCodeAt(simpleEnd) !== 46) {
    if (keyword === 'def') s.open = [];
    push(s, keyword, at, simpleEnd);
  } else {
    const end = dottedEnd(text, at);
    const name = text.slice(at, end);
    const kind = keywords.get(name) ?? (isSpecialFloat(name) ? 'float' : 'name');
    push(s, kind, at, end);
  }
}

function lexNumber(s: Lexer, start: number): void {
  const { text } = s;
  let end = s.at;
  while (isDigit(text.charCodeAt(end))) end++;
  if (s.kinds[s.kinds.length - 1] === '.') {
    push(s, 'int', start, end);
    return;
  }
  let isFloat = false;
  if (text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1))) {
    isFloat = true;
    end += 2;
    while (isDigit(text.charCodeAt(end))) end++;
  }
  const exponent = exponentEnd(text, end);
  if (exponent > end) {
    isFloat = true;
    end = exponent;
  }
  const suffixAt = end;
  while (isNamePart(text.charCodeAt(end))) end++;
  if (text.charCodeAt(suffixAt) === 102) isFloat = true;
  push(s, isFloat ? 'float' : 'int', start, end);
}

/** The end of the exponent at `at`, or `at` if there is none. */
function exponentEnd(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c !== 101 && c !== 69) return at;
  const sign = text.charCodeAt(at + 1);
  let end = sign === 43 || sign === 45 ? at + 2 : at + 1;
  if (!isDigit(text.charCodeAt(end))) return at;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Whether the minuses here belong to a number: they follow no operand. */
function startsNumber(s: Lexer): boolean {
  const last = s.kinds[s.kinds.length - 1];
  if (last !== undefined && OPERANDS.has(last)) return false;
  // Each minus of a run without a number is a token: the run is looked at once.
  if (s.at >= s.minuses.end) s.minuses = minusesAt(s.text, s.at);
  return s.minuses.isSign;
}

/** The run of minuses at an offset, and whether a number follows it. */
function minusesAt(text: string, start: number): Minuses {
  let end = start;
  while (text.charCodeAt(end) === 45) end++;
  const c = text.charCodeAt(end);
  const isSign =
    isDigit(c) || (isNameStart(c) && isSpecialFloat(text.slice(end, identifierEnd(text, end))));
  return { end, isSign };
}

function lexMinuses(s: Lexer): void {
  const start = s.at;
  s.at = s.minuses.end;
  if (isDigit(s.text.charCodeAt(s.at))) lexNumber(s, start);
  else push(s, 'float', start, identifierEnd(s.text, s.at));
}

function lexLocal(s: Lexer): void {
  const { text, at } = s;
  const c = text.charCodeAt(at + 1);
  if (isNameStart(c)) push(s, 'local', at, identifierEnd(text, at + 1));
  else if (isDigit(c)) {
    let end = at + 2;
    while (isDigit(text.charCodeAt(end))) end++;
    push(s, 'graph', at, end);
  } else {
    report(s, (span) => missingName('%', 'local variable', span), at + 1);
    s.at++;
  }
}

function lexGlobal(s: Lexer): void {
  const { text, at } = s;
  if (isNameStart(text.charCodeAt(at + 1))) push(s, 'global', at, dottedEnd(text, at + 1));
  else {
    report(s, (span) => missingName('@', 'global', span), at + 1);
    s.at++;
  }
}

function lexString(s: Lexer): void {
  const { text, at } = s;
  let end = at + 1;
  for (;;) {
    const c = text.charCodeAt(end);
    if (c === 34) {
      push(s, 'string', at, end + 1);
      return;
    }
    if (end >= text.length || c === 10) break;
    // A backslash takes the next character with it, unless that ends the line.
    end += c === 92 && text.charCodeAt(end + 1) !== 10 && end + 1 < text.length ? 2 : 1;
  }
  report(s, unterminatedString, end);
  s.at = end;
}

function skipBlockComment(s: Lexer): void {
  const { text, at } = s;
  let depth = 1;
  let end = at + 2;
  const lines: number[] = [];
  while (depth > 0 && end < text.length) {
    const c = text.charCodeAt(end);
    const next = text.charCodeAt(end + 1);
    if (c === 47 && next === 42) {
      depth++;
      end += 2;
    } else if (c === 42 && next === 47) {
      depth--;
      end += 2;
    } else {
      end++;
      if (c === 10) lines.push(end);
    }
  }
  if (depth > 0) report(s, unterminatedComment, at + 2);
  for (const line of lines) s.lineStarts.push(line);
  s.at = end;
}

const HEADER = /#\[[ \t]*version[ \t]*=[ \t]*"[^"\r\n]*"[ \t]*\]/y;
const METADATA = /#\[[ \t]*metadata[ \t]*\]/y;

function lexHash(s: Lexer): void {
  const { text, at } = s;
  METADATA.lastIndex = at;
  HEADER.lastIndex = at;
  if (METADATA.test(text)) {
    s.metadataAt = METADATA.lastIndex;
    s.at = at;
  } else if (HEADER.test(text)) {
    const end = HEADER.lastIndex;
    push(s, 'header', at, end);
  } else {
    report(s, strayHash, at + 1);
    // Other languages have comments like this: their words would only cause more errors.
    if (text.charCodeAt(at + 1) === 91) s.at++;
    else skipLine(s);
  }
}

function lexSign(s: Lexer, c: number): void {
  const { text, at } = s;
  for (const sign of SIGNS_BY_START[c] ?? []) {
    if (!text.startsWith(sign, at)) continue;
    push(s, sign, at, at + sign.length);
    matchBracket(s, sign);
    return;
  }
  let end = at + 1;
  while (end < text.length && end - at < MAX_QUOTED && !isKnown(text.charCodeAt(end))) end++;
  report(s, (span) => unexpectedCharacters(text.slice(at, end), span), end);
  s.at = end;
}

/** Whether a token or a space may start with this character. */
const isKnown = (c: number): boolean =>
  c === 32 ||
  (c >= 9 && c <= 13) ||
  isNamePart(c) ||
  c === 37 ||
  c === 64 ||
  c === 34 ||
  c === 35 ||
  (SIGNS_BY_START[c]?.length ?? 0) > 0;

/** Pairs brackets. A bracket that does not fit has no partner. */
function matchBracket(s: Lexer, sign: TokenKind): void {
  const index = s.kinds.length - 1;
  if (CLOSER_OF[sign] !== undefined) {
    s.open.push(index);
    if (s.open.length <= MAX_NESTING) return;
    s.isTooDeep = true;
    const start = s.starts[index] as number;
    s.at = start;
    report(s, (span) => nestedTooDeep(MAX_NESTING, span), start + 1);
    s.at = start + 1;
    return;
  }
  if (sign !== ')' && sign !== ']' && sign !== '}') return;
  const opener = s.open[s.open.length - 1];
  if (opener === undefined || CLOSER_OF[s.kinds[opener] as TokenKind] !== sign) return;
  s.open.pop();
  s.partners[opener] = index;
  s.partners[index] = opener;
}
