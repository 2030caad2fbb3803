/** What the parser knows while it reads: the place in the tokens, the names in scope, the errors. */
import { type Diagnostic, didYouMean, InvariantError, type Span, type TextSpan } from '@baton/base';
import type {
  Attrs,
  Constant,
  Constructor,
  Expr,
  GlobalTypeVar,
  OpTable,
  ParamKind,
  TypeCall,
  TypeData,
  TypeVar,
  Var,
} from '@baton/ir';
import { expectedToken } from '../diagnostics.ts';
import type { MetaTable } from '../meta/meta.ts';
import { MAX_DIAGNOSTICS } from '../tokens/lexer.ts';
import type { NumberConstant } from '../tokens/number.ts';
import { type TokenKind, type Tokens, tokenSpan, tokenText } from '../tokens/tokens.ts';
import { makeScope, type Scope } from './scope.ts';

/** A graph binding: its value, and where it was made. */
export interface GraphBinding {
  readonly value: Expr;
  readonly span: TextSpan;
}

/** The name of an algebraic data type and the kinds of its parameters. */
export interface AdtName {
  readonly header: GlobalTypeVar;
  readonly kinds: ReadonlyArray<ParamKind>;
  readonly span: TextSpan | undefined;
}

/** A constructor, and where it was defined. */
export interface ConstructorName {
  readonly ctor: Constructor;
  readonly span: TextSpan | undefined;
}

/** The state of one parse. */
export interface ParserState {
  readonly tokens: Tokens;
  readonly ops: OpTable;
  /**
   * Whether the older forms of [language §13](https://batonjs.github.io/baton/spec/language#13) are
   * read as well.
   */
  readonly isLegacy: boolean;
  /** Names of relations that `where` may use besides those of operators. */
  readonly relations: ReadonlySet<string>;
  readonly meta: MetaTable;
  /** Whether the text's own section is not valid: its entries are not known. */
  readonly isMetaBroken: boolean;
  readonly diagnostics: Diagnostic[];
  /** The next token. */
  at: number;
  /** The token at which the last syntax error was found: one error a token is enough. */
  failedAt: number;
  readonly locals: Scope<Var>;
  readonly typeVars: Scope<TypeVar>;
  /** Graph bindings of the definition that is being read. */
  graph: Map<string, GraphBinding>;
  readonly adts: Map<string, AdtName>;
  readonly typeDefinitions: Map<string, TypeData>;
  readonly constructors: Map<string, ConstructorName>;
  /** Some numbers that were read before, by their text: equal ones share their tensor. */
  readonly numbers: Map<string, NumberConstant>;
  /** Constants of the meta table that were made nodes. */
  readonly metaConstants: Map<number, Constant>;
  /** The attributes of each operator when none is written. */
  readonly defaultAttrs: Map<string, Attrs>;
  /** The globals that are defined so far, and where. */
  readonly globals: Map<string, Span | undefined>;
  /** Names that `def` gives anywhere in the text, or that a context has. */
  readonly definedNames: Set<string>;
  /** Tokens `<` of legacy types whose arguments are being read. */
  readonly openAngles: number[];
  /** Tokens `<` after which no type arguments stand: each is tried once. */
  readonly comparisons: Set<number>;
  /** Whether a `(` or `[` on a new line ends the expression: in a legacy binding, which may have
   * no `;`. */
  lineEnds: boolean;
  /** The legacy data type that is being defined: its bare name has its own parameters. */
  selfType: TypeCall | undefined;
  /** Inside a definition, where `free_var` is not allowed. */
  inDefinition: boolean;
  /** Where undeclared dimension names are declared: the parameters of the signature being read. */
  openSignature: TypeVar[] | undefined;
}

/** What a parse starts with. */
export type ParserInput = Pick<
  ParserState,
  'tokens' | 'ops' | 'isLegacy' | 'relations' | 'meta' | 'isMetaBroken'
>;

/** The state at the first token. */
export const startState = ({
  tokens,
  ops,
  isLegacy,
  relations,
  meta,
  isMetaBroken,
}: ParserInput): ParserState => ({
  tokens,
  ops,
  isLegacy,
  relations,
  meta,
  isMetaBroken,
  diagnostics: [],
  at: 0,
  failedAt: -1,
  locals: makeScope(),
  typeVars: makeScope(),
  graph: new Map(),
  adts: new Map(),
  typeDefinitions: new Map(),
  constructors: new Map(),
  numbers: new Map(),
  metaConstants: new Map(),
  defaultAttrs: new Map(),
  globals: new Map(),
  definedNames: new Set(),
  openAngles: [],
  comparisons: new Set(),
  lineEnds: false,
  selfType: undefined,
  inDefinition: false,
  openSignature: undefined,
});

/** Thrown where reading cannot go on, after the error is reported; caught at the next `;`. */
const SYNTAX_ERROR: unique symbol = Symbol('syntax error');

/** Whether a caught value is the parser's own signal. Anything else is a bug and goes on. */
export function isSyntaxError(thrown: unknown): boolean {
  return thrown === SYNTAX_ERROR;
}

/** The kind of the next token, or of one after it. */
export const peek = (s: ParserState, ahead = 0): TokenKind => s.tokens.kinds[s.at + ahead] ?? 'eof';

/** The characters of the next token, or of one after it. */
export const peekText = (s: ParserState, ahead = 0): string => tokenText(s.tokens, s.at + ahead);

/** Whether the next token is a bare name with this text. */
export const isWord = (s: ParserState, word: string, ahead = 0): boolean =>
  peek(s, ahead) === 'name' && peekText(s, ahead) === word;

/** Steps over the next token if it is of this kind. */
export function accept(s: ParserState, kind: TokenKind): boolean {
  if (peek(s) !== kind) return false;
  s.at++;
  return true;
}

/** Steps over a token of this kind and returns its index; anything else is an error. */
export function expect(s: ParserState, kind: TokenKind, what = `\`${kind}\``): number {
  if (peek(s) !== kind) return unexpected(s, what, sigilHint(s, kind));
  return s.at++;
}

/** A bare name where one with a sigil is due. */
function sigilHint(s: ParserState, kind: TokenKind): string | undefined {
  const sigil = kind === 'local' ? '%' : kind === 'global' ? '@' : undefined;
  const isBare = sigil !== undefined && peek(s) === 'name';
  return isBare ? `write \`${sigil}${peekText(s)}\`` : undefined;
}

/** Reports that the next token is not what was wanted, and gives up this piece of text. */
export function unexpected(s: ParserState, what: string, hint?: string): never {
  if (s.failedAt !== s.at) report(s, expectedToken(what, describe(s), spanHere(s), hint));
  s.failedAt = s.at;
  return abandon();
}

/** Gives up this piece of text; the error has been reported. */
export function abandon(): never {
  throw SYNTAX_ERROR;
}

/** Adds a diagnostic, unless there are too many already. */
export function report(s: ParserState, d: Diagnostic): void {
  if (s.diagnostics.length <= MAX_DIAGNOSTICS) s.diagnostics.push(d);
}

/** Whether so many errors are known that more would not help. */
export const isFull = (s: ParserState): boolean => s.diagnostics.length > MAX_DIAGNOSTICS;

/** A hint that proposes one of `names`; none where the error is one too many to be reported. */
export const suggestion = (
  s: ParserState,
  name: string,
  names: () => Iterable<string>,
  sigil = '',
): string | undefined => (isFull(s) ? undefined : didYouMean(name, names(), sigil));

/** The next token in words. */
export function describe(s: ParserState): string {
  const kind = peek(s);
  if (kind === 'eof') return 'the end of the text';
  const text = peekText(s);
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
}

/** The place of the next token. */
export const spanHere = (s: ParserState): TextSpan => tokenSpan(s.tokens, s.at);

/** From token `first` to the last token that was read. */
export const spanFrom = (s: ParserState, first: number): TextSpan =>
  tokenSpan(s.tokens, first, Math.max(first, s.at - 1));

/** Whether the next token is the first of its line. */
export const startsLine = (s: ParserState): boolean =>
  s.tokens.lines[s.at] !== s.tokens.lines[s.at - 1];

/** Whether the next token can name a local where it is bound: legacy needs no sigil there. */
export const isBinderAhead = (s: ParserState): boolean =>
  peek(s) === 'local' || (s.isLegacy && peek(s) === 'name');

/** The name in a local, graph or global token, without its sigil; a bare name as it is. */
export function sigilName(s: ParserState, index: number): string {
  const text = tokenText(s.tokens, index);
  if (s.tokens.kinds[index] === 'name') return text;
  if (text.length < 2) throw new InvariantError('a token with a sigil has a name');
  return text.slice(1);
}
