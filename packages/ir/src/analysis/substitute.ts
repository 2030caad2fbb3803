/** Substitution of expressions, mostly for variables. */
import { fail, type Result, right } from '@baton/base';
import { ambiguousParameter, missingParameter } from '../diagnostics.ts';
import { func } from '../expr/construct.ts';
import type { Expr, Func, Var } from '../expr/expr.ts';
import { rewriteExpr } from '../expr/walks.ts';
import { freeVars } from './variables.ts';

export type Bindings = ReadonlyMap<Var, Expr>;

/**
 * The expression with some nodes replaced wherever they are used; the same object if it mentions
 * none of them. A shared node stays one node, and so does a replacement that is used twice. The
 * expression's own binders must not be replaced.
 *
 * **Complexity** linear in the nodes.
 */
export const substitute = (expr: Expr, replacements: ReadonlyMap<Expr, Expr>): Expr =>
  replacements.size === 0 ? expr : rewriteExpr(expr, (node) => replacements.get(node));

/** The function with variables bound to expressions; new free variables become parameters. */
export function bind(f: Func, bindings: Bindings): Func {
  const kept = f.params.filter((param) => !bindings.has(param));
  const body = substitute(f.body, bindings);
  if (body === f.body && kept.length === f.params.length) return f;
  const before = new Set<Var>([...f.params, ...freeVars(f)]);
  const brought = [...bindings.values()].flatMap(freeVars).filter((v) => !before.has(v));
  return func([...kept, ...new Set(brought)], body, f);
}

/**
 * The function with parameters bound by name.
 *
 * **Errors** `BIND_UNKNOWN` for an unknown name, `BIND_AMBIGUOUS` for a name of several parameters.
 */
export function bindByName(f: Func, values: ReadonlyMap<string, Expr>): Result<Func> {
  const bindings = new Map<Var, Expr>();
  for (const [name, value] of values) {
    const [param, ...others] = f.params.filter((p) => p.nameHint === name);
    if (param === undefined) return fail(missingParameter(name, f.span));
    if (others.length > 0) return fail(ambiguousParameter(name, f.span));
    bindings.set(param, value);
  }
  return right(bind(f, bindings));
}
