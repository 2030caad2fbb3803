/** The state of the parser: the next token, the names in scope, the errors. */
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
import type { Mention, Notes } from './notes.ts';
import { makeScope, type Scope } from './scope.ts';

export interface GraphBinding {
  readonly value: Expr;
  readonly span: TextSpan;
}

export interface AdtName {
  readonly header: GlobalTypeVar;
  readonly kinds: ReadonlyArray<ParamKind>;
  readonly span: TextSpan | undefined;
}

export interface ConstructorName {
  readonly ctor: Constructor;
  readonly span: TextSpan | undefined;
}

/** A let whose body is not read yet. */
export interface OpenLet {
  readonly binder: Var;
  readonly value: Expr;
  readonly first: number;
}

export interface MatchReaders {
  readonly readScrutinee: (s: Parser) => Steps<Expr>;
  readonly readBlock: (s: Parser) => Steps<Expr>;
  /** Reads `=> e`. */
  readonly readBody: (s: Parser) => Steps<Expr>;
}

export interface DefinitionForm {
  /** The tokens that start it; no other definition starts with them. */
  readonly keywords: ReadonlyArray<TokenKind>;
  /** Whether one starts at this token, which is such a keyword: some keywords may be names. */
  readonly startsAt: (kinds: ReadonlyArray<TokenKind>, at: number) => boolean;
  /** Declares its name, before any definition is read; `next` starts the definition after it. */
  readonly declare: (s: Parser, start: number, next: number) => void;
  readonly read: (s: Parser) => Steps<void>;
}

/** The particulars of a form of the language: words, and the reading of some constructs. */
export interface Dialect {
  readonly lexis: Lexis;
  /** Whether a module without a version is an error. */
  readonly needsVersion: boolean;
  /** Whether every bare name is an operator, whose attributes stay as written. */
  readonly isOpen: boolean;
  /** Whether the tokens of a flat call determine its meaning: then it is read without a step. */
  readonly readsFlat: boolean;
  /** The kinds of definitions; all of one kind are read before those of the next. */
  readonly definitions: ReadonlyArray<DefinitionForm>;
  /** The tokens that may name a local at its binding, a global, a graph binding, an attribute. */
  readonly localNames: ReadonlySet<TokenKind>;
  readonly globalNames: ReadonlySet<TokenKind>;
  readonly graphNames: ReadonlySet<TokenKind>;
  readonly attrNames: ReadonlySet<TokenKind>;
  readonly attrWords: ReadonlyMap<string, AttrValue>;
  readonly typeBrackets: ReadonlyMap<TokenKind, ']' | '>'>;
  readonly dtypeNamed: (name: string) => DTypeTerm | undefined;
  /** The meaning of a bare name in an expression. */
  readonly meaningOf: (s: Parser, name: string, span?: TextSpan) => Expr | undefined;
  readonly namedType: (s: Parser, name: string) => Type | undefined;
  readonly readTypeCall: (s: Parser) => Steps<Type>;
  /** Whether tokens from `first` on, read as type arguments with errors, are something else. */
  readonly isNoType: (s: Parser, first: number) => boolean;
  /** Reads a binding into `lets` or the graph and returns `undefined`, or returns the result. */
  readonly readStatement: (
    s: Parser,
    lets: OpenLet[],
    hasBindings: boolean,
  ) => Steps<Expr | undefined>;
  /** Whether a binding ends here without a `;`. */
  readonly endsBinding: (s: Parser) => boolean;
  /** Whether reading may go on here after an error in the binding at token `first`. */
  readonly resumesAt: (s: Parser, first: number) => boolean;
  /** An expression of this dialect only that begins with a name and a bracket. */
  readonly readForm: (s: Parser) => Steps<Expr> | undefined;
  readonly readClauses: (s: Parser, readers: MatchReaders) => Steps<ReadonlyArray<Clause>>;
}

export type ParserInput = Pick<
  Parser,
  'tokens' | 'ops' | 'dialect' | 'relations' | 'meta' | 'isMetaBroken' | 'notes'
>;

/** Thrown if reading cannot go on, after the error is reported; caught at the next `;`. */
const SYNTAX_ERROR: unique symbol = Symbol('syntax error');

/** Whether a caught value is the parser's own signal. Anything else is a bug and goes on. */
export function isSyntaxError(thrown: unknown): boolean {
  return thrown === SYNTAX_ERROR;
}

/** The result of reading; `undefined` if it gave up after reporting an error. */
export function attempt<A>(read: () => A): A | undefined {
  try {
    return read();
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
    return undefined;
  }
}

/** Items separated by commas, perhaps with one at the end, up to `closer`, which is read too. */
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

/** One parse: the remaining text, the finished parts, and the errors. */
export class Parser {
  readonly tokens: Tokens;
  readonly ops: OpTable;
  readonly dialect: Dialect;
  /** Names of relations that `where` may use besides those of operators. */
  readonly relations: ReadonlySet<string>;
  readonly meta: MetaTable;
  /** Whether the text's own section is invalid: its entries are unknown. */
  readonly isMetaBroken: boolean;
  /** The findings of the parse, for editors; other readers do without. */
  readonly notes: Notes | undefined;
  readonly diagnostics: Diagnostic[] = [];
  /** The next token. */
  at = 0;
  /** The token of the last syntax error: one error per token is enough. */
  failedAt = -1;
  readonly locals: Scope<Var>;
  readonly typeVars: Scope<TypeVar>;
  /** Graph bindings of the current definition by name, with its `%`. */
  graph: Map<string, GraphBinding> = new Map();
  readonly functions: Map<string, Func> = new Map();
  readonly adts: Map<string, AdtName> = new Map();
  readonly typeDefinitions: Map<string, TypeData> = new Map();
  readonly constructors: Map<string, ConstructorName> = new Map();
  /** Some earlier numbers by their text: equal ones share their tensor. */
  readonly numbers: Map<string, NumberConstant> = new Map();
  readonly metaConstants: Map<number, Constant> = new Map();
  readonly defaultAttrs: Map<string, Attrs> = new Map();
  /** The globals defined so far, with their spans. */
  readonly globals: Map<string, Span | undefined> = new Map();
  /** Names that a `def` anywhere in the text, or the context, defines. */
  readonly definedNames: Set<string> = new Set();
  /** Tokens `<` of types whose arguments are being read. */
  readonly openAngles: number[] = [];
  /** Tokens `<` known not to open type arguments: each is tried once. */
  readonly comparisons: Set<number> = new Set();
  /** Whether a `(` or `[` on a new line ends the expression. */
  lineEnds = false;
  /** The type that the bare name of the type being defined means. */
  selfType: TypeCall | undefined = undefined;
  /** Whether the parse is inside a definition, where `free_var` is not allowed. */
  inDefinition = false;
  /** The parameters of the current signature, where undeclared dimension names are declared. */
  openSignature: TypeVar[] | undefined = undefined;

  constructor({ tokens, ops, dialect, relations, meta, isMetaBroken, notes }: ParserInput) {
    this.tokens = tokens;
    this.ops = ops;
    this.dialect = dialect;
    this.relations = relations;
    this.meta = meta;
    this.isMetaBroken = isMetaBroken;
    this.notes = notes;
    this.locals = makeScope(notes?.locals(() => this.at));
    this.typeVars = makeScope(notes?.typeVariables(() => this.at));
  }

  note(token: number, mention: Mention): void {
    this.notes?.mention(token, mention);
  }

  bindGraph(name: string, binding: GraphBinding): void {
    this.graph.set(name, binding);
    this.notes?.bindGraph(name, binding.value, binding.span, this.at);
  }

  peek(ahead = 0): TokenKind {
    return this.tokens.kinds[this.at + ahead] ?? 'eof';
  }

  /** The characters of the next token, or of one after it. */
  peekText(ahead = 0): string {
    return tokenText(this.tokens, this.at + ahead);
  }

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

  /** A hint for a bare name that lacks its sigil. */
  #sigilHint(kind: TokenKind): string | undefined {
    const sigil = kind === 'local' ? '%' : kind === 'global' ? '@' : undefined;
    const isBare = sigil !== undefined && this.peek() === 'name';
    return isBare ? `write \`${sigil}${this.peekText()}\`` : undefined;
  }

  /** Reports an unexpected token, and gives up this piece of text. */
  unexpected(what: string, hint?: string): never {
    if (this.failedAt !== this.at) {
      this.report(expectedToken(what, this.describe(), this.spanHere(), hint));
    }
    this.failedAt = this.at;
    return this.abandon();
  }

  /** Gives up this piece of text after a reported error. */
  abandon(): never {
    throw SYNTAX_ERROR;
  }

  /** Adds a diagnostic, unless there are too many already. */
  report(d: Diagnostic): void {
    if (!this.isFull()) this.diagnostics.push(d);
  }

  isFull(): boolean {
    return this.diagnostics.length > MAX_DIAGNOSTICS;
  }

  /** This moment, for a return to it. */
  now(): Moment {
    return [this.at, this.failedAt, this.diagnostics.length];
  }

  hasErrorsSince([, , errorCount]: Moment): boolean {
    return this.diagnostics.length > errorCount;
  }

  /** Returns to a moment, as if nothing had been read since. */
  backTo([at, failedAt, errorCount]: Moment): void {
    this.at = at;
    this.failedAt = failedAt;
    this.diagnostics.length = errorCount;
  }

  /** A hint that proposes one of `names`; none if the error is one too many to be reported. */
  suggestion(name: string, names: () => Iterable<string>, sigil = ''): string | undefined {
    return this.isFull() ? undefined : didYouMean(name, names(), sigil);
  }

  /** The next token in words. */
  describe(): string {
    if (this.peek() === 'eof') return 'the end of the text';
    const text = this.peekText();
    return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
  }

  spanAt(index: number): TextSpan {
    return tokenSpan(this.tokens, index);
  }

  spanHere(): TextSpan {
    return tokenSpan(this.tokens, this.at);
  }

  /** The range from token `first` to the last read token. */
  spanFrom(first: number): TextSpan {
    return tokenSpan(this.tokens, first, Math.max(first, this.at - 1));
  }

  /** The name in a local, graph or global token, without its sigil; a bare name unchanged. */
  sigilName(index: number): string {
    const text = this.textAt(index);
    if (this.tokens.kinds[index] === 'name') return text;
    if (text.length < 2) throw new InvariantError('a token with a sigil has a name');
    return text.slice(1);
  }
}
