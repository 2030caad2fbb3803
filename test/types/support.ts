/** Short forms for the tests of types: programs as text, over the standard operators. */
import type { Diagnostic } from '@baton/base';
import {
  type Expr,
  freeVars,
  func,
  type InferOptions,
  type IRModule,
  inferTypes,
  irModule,
  type OpTable,
  type Type,
  typeOf,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { importStd, parseExpr, parseModule, printType } from '@baton/text';

const HEADER = '#[version = "0.0.5"]\n';

/** The module of a text, without types; the header is added. */
export function moduleOf(text: string, ops: OpTable = standardOps): IRModule {
  const result = parseModule(HEADER + text, { ops });
  if (result._tag === 'Left') throw new Error(`${text}\n${rendered(result.left)}`);
  return result.right;
}

/** The module of a text that uses the prelude, together with the prelude. */
export function preludeModule(text: string): IRModule {
  const prelude = importStd(irModule({ ops: standardOps }), 'prelude.rly');
  if (prelude._tag === 'Left') throw new Error(rendered(prelude.left));
  const result = parseModule(HEADER + text, { ops: standardOps, context: prelude.right });
  if (result._tag === 'Left') throw new Error(`${text}\n${rendered(result.left)}`);
  return result.right;
}

/** An expression program as a module: `@main` is the function, or takes the free variables. */
export function entryOf(text: string, ops: OpTable = standardOps): IRModule {
  const result = parseExpr(text, { ops });
  if (result._tag === 'Left') throw new Error(`${text}\n${rendered(result.left)}`);
  const expr: Expr = result.right;
  const main = expr._tag === 'Function' ? expr : func([...freeVars(expr)], expr);
  return irModule({ functions: new Map([['main', main]]), ops });
}

/** The module with types. */
export function typed(m: IRModule, options: InferOptions = {}): IRModule {
  const result = inferTypes(m, options);
  if (result._tag === 'Left') throw new Error(rendered(result.left));
  return result.right;
}

/** The type of a global function as text. */
export function typeText(m: IRModule, name = 'main'): string {
  const f = m.functions.get(name);
  const type: Type | undefined = f === undefined ? undefined : typeOf(m, f);
  return type === undefined ? 'no type' : printType(type);
}

/** The type of `@main` of a text, or the errors. */
export const outcome = (m: IRModule, name = 'main', options: InferOptions = {}): string => {
  const result = inferTypes(m, options);
  return result._tag === 'Left' ? result.left.map(placed).join(', ') : typeText(result.right, name);
};

/** The messages of the errors. */
export const messages = (m: IRModule): ReadonlyArray<string> => {
  const result = inferTypes(m);
  return result._tag === 'Left' ? result.left.map((d) => d.message) : [];
};

/** `CODE line:column` of each diagnostic. */
export const problems = (m: IRModule, options: InferOptions = {}): ReadonlyArray<string> => {
  const result = inferTypes(m, options);
  return result._tag === 'Left' ? result.left.map(placed) : [];
};

const placed = (d: Diagnostic): string => {
  const { span } = d;
  return span?._tag === 'TextSpan' ? `${d.code} ${span.line}:${span.column}` : d.code;
};

const rendered = (diagnostics: ReadonlyArray<Diagnostic>): string =>
  diagnostics.map((d) => `${d.code}: ${d.message}`).join('\n');
