/** Text to modules and expressions: the public face of the parser. */
import {
  type Diagnostic,
  failure,
  invariant,
  isLeft,
  type Result,
  right,
  runSteps,
  type Span,
  type TextSpan,
} from '@baton/base';
import {
  type Constructor,
  type Expr,
  type IRModule,
  irModule,
  moduleFromExpr,
  noAttrs,
  type OpTable,
} from '@baton/ir';
import { missingHeader, tooManyErrors, wrongVersion } from './diagnostics.ts';
import { irText } from './mention.ts';
import { joinTables, type MetaInput, type MetaTable, metaTable, readMeta } from './meta/meta.ts';
import { readDefinitions } from './parse/definitions.ts';
import { readSequence } from './parse/exprs.ts';
import { legacy } from './parse/legacy/dialect.ts';
import { Notes } from './parse/notes.ts';
import { attempt, Parser } from './parse/parser.ts';
import { pattern } from './parse/pattern.ts';
import { relay } from './parse/relay.ts';
import { STANDARD_RELATIONS } from './parse/types.ts';
import { lex, MAX_DIAGNOSTICS } from './tokens/lexer.ts';
import { offsetSpan, type TokenKind, type Tokens } from './tokens/tokens.ts';

export interface ParseOptions {
  readonly ops: OpTable;
  /**
   * `relay`, the default, is today's language; `legacy` reads the older forms as well. In `pattern`,
   * `?x` is a hole: a variable, or as the value of an attribute the text itself; every bare name is
   * an operator, whose attributes stay as written.
   */
  readonly dialect?: keyof typeof DIALECTS;
  /** The name of the text, for spans. Default: `<text>`. */
  readonly source?: string;
  /** Entries that `meta[key][index]` finds after those of the text's own section. */
  readonly meta?: MetaInput;
  /** Names of type relations that `where` may use besides the standard ones and operators. */
  readonly relations?: Iterable<string>;
  /** A module whose definitions the text may name; the parsed module contains them. */
  readonly context?: IRModule;
}

const DIALECTS = { relay, legacy, pattern };

const DEFAULT_SOURCE = '<text>';

/**
 * The module of a text: [language §3](https://batonjs.github.io/baton/spec/language#3).
 *
 * **Errors** `LEX_*`, `PARSE_*`, `NAME_*`, `LITERAL_RANGE`, `ATTR_*`, `META_*`,
 * `TYPE_ARGUMENT_COUNT`: every error found, in the order of the text, each with a place inside it.
 *
 * **Complexity** linear in the text; nesting costs memory and never the stack.
 */
export function parseModule(text: string, options: ParseOptions): Result<IRModule> {
  const s = start(text, options);
  readHeader(s, true);
  readDefinitions(s);
  return finish(s, () => moduleOf(s, options));
}

const moduleOf = (s: Parser, { ops, context }: ParseOptions): IRModule =>
  irModule({
    functions: new Map([...(context?.functions ?? []), ...s.functions]),
    typeDefinitions: new Map([...(context?.typeDefinitions ?? []), ...s.typeDefinitions]),
    constructors: constructorsOf(s),
    ops,
    attrs: context?.attrs ?? noAttrs,
    imports: context?.imports ?? new Set(),
  });

/**
 * The expression of a text. The header may be left out; `free_var %x: T;` declares free variables.
 *
 * **Errors** as {@link parseModule}.
 *
 * **Complexity** linear in the text; nesting costs memory and never the stack.
 */
export function parseExpr(text: string, options: ParseOptions): Result<Expr> {
  const s = start(text, options);
  readHeader(s, false);
  const expr = wholeExpr(s);
  // Without an expression there is an error, and `finish` does not call this.
  return finish(s, () => expr as Expr);
}

/** The readable parts of a text, with or without mistakes. */
export interface TextReading {
  readonly tokens: Tokens;
  /** The mistakes, as {@link parseModule} and {@link parseExpr} report them. */
  readonly diagnostics: ReadonlyArray<Diagnostic>;
  /**
   * The definitions that could be read. An expression that could not is a variable that nothing binds.
   * The expression of a text without definitions is `@main`.
   */
  readonly module: IRModule;
  readonly notes: Notes;
  /** The offsets of globals, data types and constructors by name. */
  readonly places: {
    readonly globals: ReadonlyMap<string, Span | undefined>;
    readonly dataTypes: ReadonlyMap<string, Span | undefined>;
    readonly constructors: ReadonlyMap<string, Span | undefined>;
  };
}

/**
 * Reads as much of a text as possible, for editors, and notes what its names mean. A text without
 * definitions and without a header is an expression.
 *
 * **Complexity** linear in the text.
 */
export function readText(text: string, options: ParseOptions): TextReading {
  const s = start(text, options, (tokens) => new Notes(tokens));
  const { notes } = s;
  invariant(notes !== undefined, 'a parse for an editor takes notes');
  const isExpr = s.peek() !== 'header' && !s.tokens.kinds.some((kind) => DEFINERS.has(kind));
  if (isExpr && s.peek() !== 'eof') readExpr(s);
  else {
    readHeader(s, true);
    readDefinitions(s);
  }
  notes.endGraph(s.tokens.kinds.length);
  const spans = (found: ReadonlyMap<string, { readonly span: Span | undefined }>) =>
    new Map([...found].map(([name, { span }]) => [name, span]));
  return {
    tokens: s.tokens,
    diagnostics: shownOf(s),
    module: moduleOf(s, options),
    notes,
    places: {
      globals: s.globals,
      dataTypes: spans(s.adts),
      constructors: spans(s.constructors),
    },
  };
}

const DEFINERS: ReadonlySet<TokenKind> = new Set<TokenKind>(['def', 'type', 'extern']);

/** Reads a text that is an expression as the body of `@main`. */
function readExpr(s: Parser): void {
  const expr = wholeExpr(s);
  if (expr === undefined) return;
  const [name, f] = [...moduleFromExpr(expr, { ops: s.ops }).functions][0] ?? [];
  if (name !== undefined && f !== undefined) s.functions.set(name, f);
}

const wholeExpr = (s: Parser): Expr | undefined =>
  attempt(() => {
    const whole = runSteps(readSequence(s, 'eof'));
    // Editors want the expression before the mistake.
    if (s.peek() !== 'eof' && s.notes !== undefined) attempt(() => s.unexpected(END));
    else if (s.peek() !== 'eof') s.unexpected(END);
    return whole;
  });

const END = 'the end of the text';

function start(text: string, options: ParseOptions, makeNotes?: (tokens: Tokens) => Notes): Parser {
  const source = irText(options.source ?? DEFAULT_SOURCE, text);
  const dialect = DIALECTS[options.dialect ?? 'relay'];
  const { tokens, diagnostics } = lex(source, dialect.lexis);
  const relations = new Set([
    ...STANDARD_RELATIONS,
    ...options.ops.relationNames,
    ...(options.relations ?? []),
  ]);
  const { meta, errors } = metaOf(tokens, metaTable(options.meta ?? {}));
  const isMetaBroken = errors.length > 0;
  const notes = makeNotes?.(tokens);
  const s = new Parser({ tokens, ops: options.ops, dialect, meta, isMetaBroken, relations, notes });
  // A bad section causes other errors, so its errors are kept first if there are too many.
  for (const d of [...errors, ...diagnostics]) s.report(d);
  if (options.context !== undefined) addContext(s, options.context);
  return s;
}

/** Makes the names of a module known. */
function addContext(s: Parser, { typeDefinitions, constructors, functions }: IRModule): void {
  for (const [name, { header, typeVars }] of typeDefinitions) {
    s.adts.set(name, { header, kinds: typeVars.map((v) => v.kind), span: undefined });
  }
  for (const [name, ctor] of constructors) s.constructors.set(name, { ctor, span: undefined });
  for (const [name, f] of functions) {
    s.definedNames.add(name);
    s.globals.set(name, f.span);
  }
}

/** The table of the text's own section, followed by the given one. */
function metaOf(
  tokens: Tokens,
  given: MetaTable,
): { readonly meta: MetaTable; readonly errors: ReadonlyArray<Diagnostic> } {
  const at = tokens.metadataAt;
  if (at === undefined) return { meta: given, errors: [] };
  const { source, lineStarts } = tokens;
  const read = readMeta(source.text.slice(at), offsetSpan(source, lineStarts, at, at));
  if (isLeft(read)) return { meta: given, errors: read.left };
  return { meta: joinTables(read.right, given), errors: [] };
}

function readHeader(s: Parser, isRequired: boolean): void {
  if (s.peek() !== 'header') {
    if (isRequired && s.dialect.needsVersion) s.report(missingHeader(s.spanHere()));
    return;
  }
  const version = /"([^"]*)"/.exec(s.peekText())?.[1];
  // Several spellings of the version are read alike.
  if (version !== undefined && version !== '0.0.5') s.report(wrongVersion(version, s.spanHere()));
  s.at++;
}

const constructorsOf = (s: Parser): ReadonlyMap<string, Constructor> =>
  new Map([...s.constructors].map(([name, { ctor }]) => [name, ctor]));

/** The diagnostics if there are any, else the value. */
const finish = <A>(s: Parser, value: () => A): Result<A> => failure(shownOf(s)) ?? right(value());

function shownOf(s: Parser): ReadonlyArray<Diagnostic> {
  const place = (d: Diagnostic): TextSpan | undefined =>
    d.span?._tag === 'TextSpan' ? d.span : undefined;
  const shown = s.diagnostics.slice(0, MAX_DIAGNOSTICS).sort((a, b) => {
    const x = place(a);
    const y = place(b);
    if (x === undefined || y === undefined) return 0;
    return x.line - y.line || x.column - y.column;
  });
  const last = shown.at(-1)?.span;
  if (s.diagnostics.length > MAX_DIAGNOSTICS && last !== undefined) {
    shown.push(tooManyErrors(MAX_DIAGNOSTICS, last));
  }
  return shown;
}
