/** Access to the variables of patterns. */
import { rebuildDag } from '@baton/base';
import { sameOr } from '../types/parts.ts';
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

/** The pattern with other variables; the same object if they are the same. */
export const withPatternVars = (pattern: Pattern, next: (variable: Var) => Var): Pattern =>
  rebuildDag<Pattern>(subPatterns, (at, get) => {
    switch (at._tag) {
      case 'PatternWildcard':
        return at;
      case 'PatternVar': {
        const v = next(at.variable);
        return v === at.variable ? at : { _tag: at._tag, variable: v, span: at.span };
      }
      case 'PatternConstructor': {
        const patterns = sameOr(at.patterns, get);
        if (patterns === at.patterns) return at;
        return { _tag: at._tag, ctor: at.ctor, patterns, span: at.span };
      }
      case 'PatternTuple': {
        const patterns = sameOr(at.patterns, get);
        return patterns === at.patterns ? at : { _tag: at._tag, patterns, span: at.span };
      }
    }
  })(pattern);

const subPatterns = (pattern: Pattern): ReadonlyArray<Pattern> =>
  'patterns' in pattern ? pattern.patterns : [];
