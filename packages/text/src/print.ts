/** Modules and expressions as text: the public face of the printer. */
import {
  type Expr,
  type IRModule,
  type OpTable,
  type Type,
  type TypeData,
  typeParamsText,
  typeText,
  viewOf,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { writeMeta } from './meta/meta.ts';
import { writeTvmMeta } from './meta/tvm-meta.ts';
import { type Doc, render } from './print/doc.ts';
import { definitionDoc, expressionDoc } from './print/exprs.ts';
import { makeNames } from './print/names.ts';
import type { PrintState } from './print/state.ts';

export interface PrintOptions {
  /** Whether the first line has the version. Default: true. */
  readonly header?: boolean;
  /**
   * `section`, the default: a metadata section after the program holds the tensors. `omit`: no
   * section; each tensor is named with its shape and dtype, and the text cannot be read back.
   */
  readonly meta?: 'section' | 'omit';
  /**
   * The reader of the text: TVM Relay can read `tvm` as well, as far as it has the types. It writes
   * attributes without a default in TVM, and TVM's metadata section.
   * @defaultValue `relay`
   */
  readonly dialect?: 'relay' | 'tvm';
  /** Whether known types are comments. Default: true. */
  readonly showTypes?: boolean;
  /** Whether the origins of nodes are comments. Default: false. */
  readonly showSpans?: boolean;
  /** A text after each node that may have a comment, instead of types and origins. */
  readonly annotate?: (expr: Expr) => string;
  /** Types of expressions. Default: the inferred types of a module. */
  readonly typeOf?: (expr: Expr) => Type | undefined;
  /** Operators, whose default attributes are left out. Default: a module's own. */
  readonly ops?: OpTable;
}

/** The most parts of all large types of one text together. */
const MAX_LARGE_TYPES_SIZE = 200_000;

const HEADER = '#[version = "0.0.5"]\n';

/**
 * A module as text that `parseModule` reads back: type definitions, then functions, each by name.
 *
 * **Complexity** near-linear in the text; nesting costs memory and never the stack.
 */
export function printModule(m: IRModule, options: PrintOptions = {}): string {
  const known = viewOf(m.types, m.functions);
  const state = startState(options, m.ops, known.read, m);
  const docs: Doc[] = [];
  const add = (doc: Doc): void => {
    if (docs.length > 0) docs.push('\n');
    docs.push(doc);
    // Texts of types with type parameters are valid within one definition.
    if (state.names.forgetTypeVars()) state.typeTexts.clear();
  };
  for (const [, data] of sortedByName(m.typeDefinitions)) add(typeDefinitionText(state, data));
  for (const [name, f] of sortedByName(m.functions)) add(definitionDoc(state, name, f));
  return withFrame(render(docs), state, options);
}

/**
 * An expression as text that `parseExpr` reads back; free variables are declared first.
 *
 * **Complexity** as {@link printModule}.
 */
export function printExpr(expr: Expr, options: PrintOptions = {}): string {
  const state = startState(options, undefined, () => undefined, undefined);
  const lines = render(expressionDoc(state, expr));
  return withFrame(lines.slice(0, -1), state, options);
}

function startState(
  options: PrintOptions,
  ops: OpTable | undefined,
  typeOf: (expr: Expr) => Type | undefined,
  m: IRModule | undefined,
): PrintState {
  return {
    names: makeNames(m?.typeDefinitions.keys() ?? [], m?.functions.keys() ?? []),
    ops: options.ops ?? ops,
    typeOf: options.typeOf ?? typeOf,
    showTypes: options.showTypes ?? true,
    showSpans: options.showSpans ?? false,
    omitData: options.meta === 'omit',
    isForTvm: options.dialect === 'tvm',
    annotate: options.annotate,
    budgets: {
      annotations: { left: MAX_LARGE_TYPES_SIZE },
      comments: { left: MAX_LARGE_TYPES_SIZE },
    },
    typeTexts: new Map(),
    tensors: new Map<Tensor, number>(),
    nextTemporary: 0,
  };
}

/** The text between its header and its metadata section, if they are wanted. */
function withFrame(text: string, state: PrintState, options: PrintOptions): string {
  const hasHeader = options.header ?? true;
  const hasSection = (options.meta ?? (hasHeader ? 'section' : 'omit')) === 'section';
  const head = hasHeader ? HEADER : '';
  if (!hasSection || state.tensors.size === 0) return head + text;
  const end = text.endsWith('\n') ? '' : '\n';
  const write = state.isForTvm ? writeTvmMeta : writeMeta;
  return `${head}${text}${end}\n#[metadata]\n${write([...state.tensors.keys()])}`;
}

function sortedByName<A>(entries: ReadonlyMap<string, A>): ReadonlyArray<readonly [string, A]> {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** `type List[A] { Cons(A, List[A]), Nil, }`, one constructor per line, with its line end. */
function typeDefinitionText({ names }: PrintState, data: TypeData): string {
  const head = `type ${data.header.nameHint}${typeParamsText(data.typeVars, names)}`;
  if (data.extern) return `extern ${head}\n`;
  const lines = data.constructors.map(({ name, inputs }) =>
    inputs.length === 0
      ? `  ${name},\n`
      : `  ${name}(${inputs.map((input) => typeText(input, names)).join(', ')}),\n`,
  );
  return `${head} {\n${lines.join('')}}\n`;
}
