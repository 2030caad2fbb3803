/** What the parser knows while it reads: the place in the tokens, the names in scope, the errors. */
import {
  type Diagnostic,
  didYouMean,
  InvariantError,
  run,
  type Span,
  type Steps,
  type TextSpan,
} from '@baton/base';
import type {
  Attrs,
  AttrValue,
  Clause,
  Constant,
  Constructor,
  DTypeTerm,
  Expr,
  Func,
  GlobalTypeVar,
  OpTable,
  ParamKind,
  Type,
  TypeCall,
  TypeData,
  TypeVar,
  Var,
} from '@baton/ir';
import { expectedToken } from '../diagnostics.ts';
import type { MetaTable } from '../meta/meta.ts';
import { type Lexis, MAX_DIAGNOSTICS } from '../tokens/lexer.ts';
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

/** A let that waits for its body. */
export interface OpenLet {
  readonly binder: Var;
  readonly value: Expr;
  readonly first: number;
}

/** How a match reads the expressions in it. */
export interface MatchReaders {
  readonly readScrutinee: (s: Parser) => Steps<Expr>;
  readonly readBlock: (s: Parser) => Steps<Expr>;
  /** Reads `=> e`. */
  readonly readBody: (s: Parser) => Steps<Expr>;
}

/** A kind of definition. */
export interface DefinitionForm {
  /** The tokens that it may start with; they stand at the start of no other definition. */
  readonly keywords: ReadonlyArray<TokenKind>;
  /** Whether one starts at this token, which is such a keyword: some may be names as well. */
  readonly startsAt: (kinds: ReadonlyArray<TokenKind>, at: number) => boolean;
  /** Makes its name known, before any definition is read; `next` starts the definition after it. */
  readonly declare: (s: Parser, start: number, next: number) => void;
  /** Reads it, from its keyword on. */
  readonly read: (s: Parser) => Steps<void>;
}

/** What tells one form of the language from another: words, and how some constructs are read. */
export interface Dialect {
  readonly lexis: Lexis;
  /** Whether a module without a version is an error. */
  readonly needsVersion: boolean;
  /** Whether what a call of atoms means shows in its own tokens: then it is read without a step. */
  readonly readsFlat: boolean;
  /** The kinds of definitions; all of one kind are read before those of the next. */
  readonly definitions: ReadonlyArray<DefinitionForm>;
  /** The tokens that may name a local where it is bound, a global, a graph binding, an attribute. */
  readonly localNames: ReadonlySet<TokenKind>;
  readonly globalNames: ReadonlySet<TokenKind>;
  readonly graphNames: ReadonlySet<TokenKind>;
  readonly attrNames: ReadonlySet<TokenKind>;
  /** Bare words that are the values of attributes. */
  readonly attrWords: ReadonlyMap<string, AttrValue>;
  /** What opens the arguments of a type, and what closes them. */
  readonly typeBrackets: ReadonlyMap<TokenKind, ']' | '>'>;
  readonly dtypeNamed: (name: string) => DTypeTerm | undefined;
  /** What a bare name in an expression stands for. */
  readonly meaningOf: (s: Parser, name: string, span?: TextSpan) => Expr | undefined;
  /** The type that the name ahead is, if there are no types inside it. */
  readonly namedType: (s: Parser, name: string) => Type | undefined;
  readonly readTypeCall: (s: Parser) => Steps<Type>;
  /** Whether tokens from `first` on that were read as type arguments, with errors, are none. */
  readonly isNoType: (s: Parser, first: number) => boolean;
  /** A binding, which is read into `lets` or the graph and gives `undefined`; or the result. */
  readonly readStatement: (
    s: Parser,
    lets: OpenLet[],
    hasBindings: boolean,
  ) => Steps<Expr | undefined>;
  /** Whether a binding ends here without a `;`. */
  readonly endsBinding: (s: Parser) => boolean;
  /** Whether reading may go on here after an error in the binding at token `first`. */
  readonly resumesAt: (s: Parser, first: number) => boolean;
  /** An expression of this dialect alone that begins with a name and a bracket. */
  readonly readForm: (s: Parser) => Steps<Expr> | undefined;
  readonly readClauses: (s: Parser, readers: MatchReaders) => Steps<ReadonlyArray<Clause>>;
}

/** What a parse starts with. */
export type ParserInput = Pick<
  Parser,
  'tokens' | 'ops' | 'dialect' | 'relations' | 'meta' | 'isMetaBroken'
>;

/** Thrown where reading cannot go on, after the error is reported; caught at the next `;`. */
const SYNTAX_ERROR: unique symbol = Symbol('syntax error');

/** Whether a caught value is the parser's own signal. Anything else is a bug and goes on. */
export function isSyntaxError(thrown: unknown): boolean {
  return thrown === SYNTAX_ERROR;
}

/** The result of reading; `undefined` where it gave up, after the error was reported. */
export function attempt<A>(read: () => A): A | undefined {
  try {
    return read();
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
    return undefined;
  }
}

/** Items with commas between them, and perhaps after them, up to `closer`, which is read too. */
export function* readList<A>(
  s: Parser,
  closer: TokenKind,
  read: (s: Parser) => Steps<A>,
): Steps<ReadonlyArray<A>> {
  const items: A[] = [];
  while (s.peek() !== closer) {
    items.push(yield* run(read(s)));
    if (!s.accept(',')) break;
  }
  s.expect(closer);
  return items;
}

/** A moment of a parse: see {@link Parser.backTo}. */
export type Moment = readonly [at: number, failedAt: number, errorCount: number];

/** One parse: the text ahead, what has been read, and what was wrong with it. */
export class Parser {
  readonly tokens: Tokens;
  readonly ops: OpTable;
  readonly dialect: Dialect;
  /** Names of relations that `where` may use besides those of operators. */
  readonly relations: ReadonlySet<string>;
  readonly meta: MetaTable;
  /** Whether the text's own section is not valid: its entries are not known. */
  readonly isMetaBroken: boolean;
  readonly diagnostics: Diagnostic[] = [];
  /** The next token. */
  at = 0;
  /** The token at which the last syntax error was found: one error a token is enough. */
  failedAt = -1;
  readonly locals: Scope<Var> = makeScope();
  readonly typeVars: Scope<TypeVar> = makeScope();
  /** Graph bindings of the definition that is being read, by name, with its `%`. */
  graph: Map<string, GraphBinding> = new Map();
  readonly functions: Map<string, Func> = new Map();
  readonly adts: Map<string, AdtName> = new Map();
  readonly typeDefinitions: Map<string, TypeData> = new Map();
  readonly constructors: Map<string, ConstructorName> = new Map();
  /** Some numbers that were read before, by their text: equal ones share their tensor. */
  readonly numbers: Map<string, NumberConstant> = new Map();
  /** Constants of the meta table that were made nodes. */
  readonly metaConstants: Map<number, Constant> = new Map();
  /** The attributes of each operator when none is written. */
  readonly defaultAttrs: Map<string, Attrs> = new Map();
  /** The globals that are defined so far, and where. */
  readonly globals: Map<string, Span | undefined> = new Map();
  /** Names that `def` gives anywhere in the text, or that a context has. */
  readonly definedNames: Set<string> = new Set();
  /** Tokens `<` of types whose arguments are being read. */
  readonly openAngles: number[] = [];
  /** Tokens `<` after which no type arguments stand: each is tried once. */
  readonly comparisons: Set<number> = new Set();
  /** Whether a `(` or `[` on a new line ends the expression. */
  lineEnds = false;
  /** The type that the bare name of the type that is being defined stands for. */
  selfType: TypeCall | undefined = undefined;
  /** Inside a definition, where `free_var` is not allowed. */
  inDefinition = false;
  /** Where undeclared dimension names are declared: the parameters of the signature being read. */
  openSignature: TypeVar[] | undefined = undefined;

  constructor({ tokens, ops, dialect, relations, meta, isMetaBroken }: ParserInput) {
    this.tokens = tokens;
    this.ops = ops;
    this.dialect = dialect;
    this.relations = relations;
    this.meta = meta;
    this.isMetaBroken = isMetaBroken;
  }

  /** The kind of the next token, or of one after it. */
  peek(ahead = 0): TokenKind {
    return this.tokens.kinds[this.at + ahead] ?? 'eof';
  }

  /** The characters of the next token, or of one after it. */
  peekText(ahead = 0): string {
    return tokenText(this.tokens, this.at + ahead);
  }

  /** The characters of a token. */
  textAt(index: number): string {
    return tokenText(this.tokens, index);
  }

  /** Whether the next token is a bare name with this text. */
  isWord(word: string): boolean {
    return this.peek() === 'name' && this.peekText() === word;
  }

  /** Whether the next token is the first of its line. */
  startsLine(): boolean {
    return this.tokens.lines[this.at] !== this.tokens.lines[this.at - 1];
  }

  /** Steps over the next token if it is of this kind. */
  accept(kind: TokenKind): boolean {
    if (this.peek() !== kind) return false;
    this.at++;
    return true;
  }

  /** Steps over a token of this kind and returns its index; anything else is an error. */
  expect(kind: TokenKind, what = `\`${kind}\``): number {
    if (this.peek() !== kind) return this.unexpected(what, this.#sigilHint(kind));
    return this.at++;
  }

  /** Steps over one of these names, or over a token of this kind. */
  expectName(names: ReadonlySet<TokenKind>, kind: TokenKind, what: string): number {
    return names.has(this.peek()) ? this.at++ : this.expect(kind, what);
  }

  /** A bare name where one with a sigil is due. */
  #sigilHint(kind: TokenKind): string | undefined {
    const sigil = kind === 'local' ? '%' : kind === 'global' ? '@' : undefined;
    const isBare = sigil !== undefined && this.peek() === 'name';
    return isBare ? `write \`${sigil}${this.peekText()}\`` : undefined;
  }

  /** Reports that the next token is not what was wanted, and gives up this piece of text. */
  unexpected(what: string, hint?: string): never {
    if (this.failedAt !== this.at) {
      this.report(expectedToken(what, this.describe(), this.spanHere(), hint));
    }
    this.failedAt = this.at;
    return this.abandon();
  }

  /** Gives up this piece of text; the error has been reported. */
  abandon(): never {
    throw SYNTAX_ERROR;
  }

  /** Adds a diagnostic, unless there are too many already. */
  report(d: Diagnostic): void {
    if (!this.isFull()) this.diagnostics.push(d);
  }

  /** Whether so many errors are known that more would not help. */
  isFull(): boolean {
    return this.diagnostics.length > MAX_DIAGNOSTICS;
  }

  /** This moment, to come back to. */
  now(): Moment {
    return [this.at, this.failedAt, this.diagnostics.length];
  }

  /** Whether errors were found since a moment. */
  hasErrorsSince([, , errorCount]: Moment): boolean {
    return this.diagnostics.length > errorCount;
  }

  /** Comes back to a moment, as if nothing had been read since. */
  backTo([at, failedAt, errorCount]: Moment): void {
    this.at = at;
    this.failedAt = failedAt;
    this.diagnostics.length = errorCount;
  }

  /** A hint that proposes one of `names`; none where the error is one too many to be reported. */
  suggestion(name: string, names: () => Iterable<string>, sigil = ''): string | undefined {
    return this.isFull() ? undefined : didYouMean(name, names(), sigil);
  }

  /** The next token in words. */
  describe(): string {
    if (this.peek() === 'eof') return 'the end of the text';
    const text = this.peekText();
    return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
  }

  /** The place of a token. */
  spanAt(index: number): TextSpan {
    return tokenSpan(this.tokens, index);
  }

  /** The place of the next token. */
  spanHere(): TextSpan {
    return tokenSpan(this.tokens, this.at);
  }

  /** From token `first` to the last token that was read. */
  spanFrom(first: number): TextSpan {
    return tokenSpan(this.tokens, first, Math.max(first, this.at - 1));
  }

  /** The name in a local, graph or global token, without its sigil; a bare name as it is. */
  sigilName(index: number): string {
    const text = this.textAt(index);
    if (this.tokens.kinds[index] === 'name') return text;
    if (text.length < 2) throw new InvariantError('a token with a sigil has a name');
    return text.slice(1);
  }
}
