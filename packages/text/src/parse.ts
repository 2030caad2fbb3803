/** Text to modules and expressions: the public face of the parser. */
import {
  type Diagnostic,
  failure,
  isLeft,
  type Result,
  right,
  runSteps,
  type TextSpan,
} from '@baton/base';
import {
  type Constructor,
  type Expr,
  type IRModule,
  irModule,
  noAttrs,
  type OpTable,
} from '@baton/ir';
import { missingHeader, tooManyErrors, wrongVersion } from './diagnostics.ts';
import { irText } from './mention.ts';
import { joinTables, type MetaInput, type MetaTable, metaTable, readMeta } from './meta/meta.ts';
import { readDefinitions } from './parse/definitions.ts';
import { readSequence } from './parse/exprs.ts';
import { legacy } from './parse/legacy/dialect.ts';
import { attempt, Parser } from './parse/parser.ts';
import { pattern } from './parse/pattern.ts';
import { relay } from './parse/relay.ts';
import { STANDARD_RELATIONS } from './parse/types.ts';
import { lex, MAX_DIAGNOSTICS } from './tokens/lexer.ts';
import { offsetSpan, type Tokens } from './tokens/tokens.ts';

/** The options of parsing. */
export interface ParseOptions {
  /** The operators that the text may name. */
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
  const { context } = options;
  return finish(s, () =>
    irModule({
      functions: new Map([...(context?.functions ?? []), ...s.functions]),
      typeDefinitions: new Map([...(context?.typeDefinitions ?? []), ...s.typeDefinitions]),
      constructors: constructorsOf(s),
      ops: options.ops,
      attrs: context?.attrs ?? noAttrs,
      imports: context?.imports ?? new Set(),
    }),
  );
}

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
  const expr = attempt(() => {
    const whole = runSteps(readSequence(s, 'eof'));
    return s.peek() === 'eof' ? whole : s.unexpected('the end of the text');
  });
  // Without an expression there is an error, and `finish` does not call this.
  return finish(s, () => expr as Expr);
}

function start(text: string, options: ParseOptions): Parser {
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
  const s = new Parser({ tokens, ops: options.ops, dialect, meta, isMetaBroken, relations });
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

/** The diagnostics in the order of the text if there are any, else the value. */
function finish<A>(s: Parser, value: () => A): Result<A> {
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
  return failure(shown) ?? right(value());
}
