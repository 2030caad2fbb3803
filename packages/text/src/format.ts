/** The layout of a text: lines, indentation and spaces. `baton fmt` writes it. */
import { failure, invariant, type Result, right } from '@baton/base';
import { irText } from './mention.ts';
import { lex, OPERANDS } from './tokens/lexer.ts';
import { type TokenKind, type Tokens, tokenText } from './tokens/tokens.ts';

/**
 * The text in the layout of Baton: a statement, a clause and a constructor each have a line, blocks are
 * indented by two spaces, definitions are parted by an empty line. Line breaks inside brackets, after
 * an operator and between statements stay, and so do comments. The text is not parsed.
 *
 * ```
 * let %y=nn.relu( %x );%y + 1f // as it was
 * =>
 * let %y = nn.relu(%x);
 * %y + 1f // as it was
 * ```
 *
 * **Errors** `LEX_*`.
 *
 * **Complexity** linear in the text.
 */
export function formatText(text: string, source = '<text>'): Result<string> {
  const { tokens, diagnostics } = lex(irText(source, text));
  const wrong = failure(diagnostics);
  if (wrong !== undefined) return wrong;
  const made = laidOut(tokens);
  const again = lex(irText(source, made)).tokens;
  invariant(`${partsOf(again)}` === `${partsOf(tokens)}`, 'a layout keeps tokens and comments');
  return right(made);
}

interface Comment {
  readonly text: string;
  readonly isLine: boolean;
  /** The line breaks before it. */
  readonly breaks: number;
}

/** The comments between the token before and a token, and the line breaks after the last. */
interface Gap {
  readonly comments: ReadonlyArray<Comment>;
  readonly breaks: number;
  readonly hasSpace: boolean;
}

const COMMENT = /\/\/[^\n]*|\/\*/g;

function gapBefore(tokens: Tokens, index: number): Gap {
  const from = index === 0 ? 0 : (tokens.ends[index - 1] as number);
  const gap = tokens.source.text.slice(from, tokens.starts[index]).replace(/^\uFEFF/, '');
  const comments: Comment[] = [];
  let at = 0;
  COMMENT.lastIndex = 0;
  for (let found = COMMENT.exec(gap); found !== null; found = COMMENT.exec(gap)) {
    const isLine = found[0] !== '/*';
    const end = isLine ? COMMENT.lastIndex : endOfBlock(gap, found.index);
    const text = gap.slice(found.index, end).trimEnd();
    comments.push({ text, isLine, breaks: breaksIn(gap.slice(at, found.index)) });
    at = end;
    COMMENT.lastIndex = end;
  }
  return { comments, breaks: breaksIn(gap.slice(at)), hasSpace: gap.length > 0 };
}

/** The end of a block comment, which may have others inside. */
function endOfBlock(text: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

const breaksIn = (text: string): number => text.split('\n').length - 1;

/** All that a layout must keep. */
const partsOf = (tokens: Tokens): ReadonlyArray<string> =>
  tokens.kinds.flatMap((_, i) => [
    ...gapBefore(tokens, i).comments.map(({ text }) => text),
    tokenText(tokens, i),
  ]);

/** A bracket that is open: a block has a line for each part, others go on. */
interface Open {
  readonly isBlock: boolean;
  /** Whether commas part lines: in a type definition and between clauses. */
  readonly hasCommaLines: boolean;
}

interface Page {
  readonly lines: string[];
  line: string;
  readonly open: Open[];
  /** The line breaks that come before the next part, at most an empty line. */
  pending: number;
}

function laidOut(tokens: Tokens): string {
  const page: Page = { lines: [], line: '', open: [], pending: 0 };
  const { kinds } = tokens;
  for (let i = 0; i < kinds.length; i++) {
    const gap = gapBefore(tokens, i);
    const kind = kinds[i] as TokenKind;
    const closes = isCloser(kind) ? page.open.pop() : undefined;
    if (closes?.isBlock === true) page.pending = kinds[i - 1] === '{' ? 0 : 1;
    const isKept = i > 0 && gap.breaks > 0 && mayBreakAfter(kinds[i - 1] as TokenKind, kind);
    writeComments(page, gap, closes?.isBlock === true);
    if (kind === 'eof') break;
    if (isKept && page.pending === 0) page.pending = 1;
    else if (page.pending > 0 && gap.breaks > 1 && closes === undefined) page.pending = 2;
    put(page, tokenText(tokens, i), isSpaced(tokens, i, gap));
    if (isOpener(kind)) {
      const isBlock = kind === '{';
      page.open.push({ isBlock, hasCommaLines: isBlock && hasCommaLines(tokens, i) });
      if (isBlock) page.pending = 1;
    }
    breakAfter(page, tokens, i);
  }
  return endOf(page, tokens);
}

/** The end of the text: the section of metadata stays as it is. */
function endOf(page: Page, { source, metadataAt }: Tokens): string {
  flush(page);
  while (page.lines.at(-1) === '') page.lines.pop();
  const body = page.lines.map((line) => `${line}\n`).join('');
  if (metadataAt === undefined) return body;
  const mark = source.text.lastIndexOf('#[', metadataAt);
  return `${body}\n${source.text.slice(mark).trimEnd()}\n`;
}

function breakAfter(page: Page, { kinds }: Tokens, index: number): void {
  const kind = kinds[index];
  const next = kinds[index + 1] as TokenKind;
  const inner = page.open.at(-1);
  if (kind === 'header') page.pending = 1;
  else if (inner === undefined && kind === '}') page.pending = continues(next) ? 0 : 2;
  else if (inner === undefined && (next === 'def' || next === 'type' || next === 'extern')) {
    if (kind !== 'extern') page.pending = 2;
  } else if (kind === ';') page.pending = 1;
  else if (kind === ',' && inner?.hasCommaLines === true) page.pending = 1;
}

const continues = (next: TokenKind): boolean => next === ';' || next === '(' || next === ')';

function writeComments(page: Page, { comments }: Gap, isInside: boolean): void {
  for (const { text, isLine, breaks } of comments) {
    if (breaks > 0) page.pending = breaks > 1 ? 2 : 1;
    else if (isLine && page.pending > 0) page.pending = 0;
    const depth = page.open.length + (isInside ? 1 : 0);
    put(page, text, !/[([]$/.test(page.line), depth);
    if (isLine) page.pending = 1;
  }
}

/** Adds a part to the line, or begins the line for it. */
function put(page: Page, text: string, isSpaced: boolean, depth: number = page.open.length): void {
  if (page.pending > 0) {
    flush(page);
    const last = page.lines.at(-1) ?? '';
    if (page.pending > 1 && last !== '' && !/[{([]$/.test(last)) page.lines.push('');
    page.pending = 0;
  }
  if (page.line === '') page.line = `${'  '.repeat(depth)}${text}`;
  else page.line += isSpaced ? ` ${text}` : text;
}

function flush(page: Page): void {
  if (page.line !== '') page.lines.push(page.line);
  page.line = '';
}

const OPENERS: ReadonlySet<TokenKind> = new Set<TokenKind>(['(', '[', '{']);
const CLOSERS: ReadonlySet<TokenKind> = new Set<TokenKind>([')', ']', '}']);
const isOpener = (kind: TokenKind): boolean => OPENERS.has(kind);
const isCloser = (kind: TokenKind): boolean => CLOSERS.has(kind);

/** Signs between two operands, or after a name that is defined. */
const BETWEEN: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(['=>', '->', '==', '!=', '<=', '>=', '&&', '||', '+', '*', '/'] as const),
]);

/** Whether a line break of the text may stay between two tokens. */
const mayBreakAfter = (before: TokenKind, kind: TokenKind): boolean =>
  before === '(' || before === '[' || before === ',' || BETWEEN.has(before) || before === '='
    ? kind !== '{'
    : kind === ')' || kind === ']' || BETWEEN.has(kind);

/** Whether the block that begins at a token holds clauses or constructors. */
function hasCommaLines({ kinds, partners }: Tokens, index: number): boolean {
  let at = index - 1;
  if (kinds[at] === ')') at = (partners[at] as number) - 1;
  else if (kinds[at] === ']') at = (partners[at] as number) - 1;
  if (kinds[at] === 'match' || kinds[at] === 'match?') return true;
  return kinds[at] === 'name' && (kinds[at - 1] === 'type' || kinds[at - 1] === 'data');
}

/** Whether a space comes before a token on its line; where both are usual, as in the text. */
function isSpaced({ kinds }: Tokens, index: number, { comments, hasSpace }: Gap): boolean {
  if (comments.length > 0 || index === 0) return comments.length > 0;
  const before = kinds[index - 1] as TokenKind;
  const kind = kinds[index] as TokenKind;
  if (before === '(' || before === '[' || before === '.' || before === '!') return false;
  if (kind === ')' || kind === ']' || kind === ',' || kind === ';' || kind === '.') return false;
  if (kind === ':') return false;
  if (before === '{' && kind === '}') return false;
  if (kind === '=') return !isAttribute(kinds, index);
  if (before === '=') return !isAttribute(kinds, index - 1);
  if (kind === '-' || before === '-') return isMinusSpaced(kinds, index);
  if (BETWEEN.has(kind) || BETWEEN.has(before)) return true;
  if (before === ',' || before === ':' || before === ';' || kind === '{') return true;
  if (kind === '(' || kind === '[') return !isOperand(before) && before !== '}';
  if (kind === '<' || kind === '>' || before === '<' || before === '>') return hasSpace;
  return true;
}

/** Whether a `=` assigns a value to an attribute, as in `axis=1`. */
function isAttribute(kinds: ReadonlyArray<TokenKind>, index: number): boolean {
  const [first, name] = [kinds[index - 2], kinds[index - 1]];
  const isBinding = name === ')' || name === 'graph' || name === 'local';
  return !isBinding && (first === '(' || first === ',');
}

/** The space around a minus, which is a sign if it comes after no operand. */
function isMinusSpaced(kinds: ReadonlyArray<TokenKind>, index: number): boolean {
  if (kinds[index] === '-') return true;
  const user = kinds[index - 2];
  return user !== undefined && (isOperand(user) || user === '}');
}

const REFERENCES: ReadonlySet<TokenKind> = new Set<TokenKind>(['ref', 'ref_read', 'ref_write']);
const isOperand = (kind: TokenKind): boolean =>
  REFERENCES.has(kind) || (kind !== '}' && OPERANDS.has(kind));
