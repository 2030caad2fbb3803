/** What a pattern binds. */
import type { Pattern, Var } from './expr.ts';

/** The variables that a pattern binds, left to right. */
export function patternVars(pattern: Pattern): ReadonlyArray<Var> {
  const vars: Var[] = [];
  const pending: Pattern[] = [pattern];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === undefined) break;
    if (next._tag === 'PatternVar') vars.push(next.variable);
    else if (next._tag !== 'PatternWildcard') pending.push(...[...next.patterns].reverse());
  }
  return vars;
}
