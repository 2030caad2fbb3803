/**
 * Modules around single expressions:
 * [language §1](https://batonjs.github.io/baton/spec/language#1).
 */
import { freeVars } from '../analysis/variables.ts';
import { func } from '../expr/construct.ts';
import type { Expr } from '../expr/expr.ts';
import { type IRModule, irModule, type ModuleParts } from './module.ts';

/** The attribute with the global name of a function that becomes a module. */
const GLOBAL_SYMBOL = 'global_symbol';

/**
 * The module whose entry is `expr`: a function becomes `@main`, or the global in its attribute
 * `global_symbol`; any other expression becomes the body of a function of its free variables, in
 * the order of their first use.
 */
export function moduleFromExpr(expr: Expr, parts: ModuleParts): IRModule {
  const symbol = expr._tag === 'Function' ? expr.attrs[GLOBAL_SYMBOL] : undefined;
  const name = typeof symbol === 'string' ? symbol : 'main';
  const entry = expr._tag === 'Function' ? expr : func(freeVars(expr), expr, { span: expr.span });
  return irModule({ ...parts, functions: new Map([...(parts.functions ?? []), [name, entry]]) });
}
