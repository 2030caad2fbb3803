/** The variables of patterns, and the matching of values. */
import { rebuildDag } from '@baton/base';
import { sameOr } from '../types/parts.ts';
import type { Pattern, PatternConstructor, PatternTuple, Var } from './expr.ts';

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

/** A pattern with parts, and the fields of a value for them: `'no'` for another constructor. */
export type FieldsOf<V> = (
  pattern: PatternConstructor | PatternTuple,
  value: V,
) => ReadonlyArray<V> | 'no' | undefined;

/**
 * The variables of a pattern with their values, left to right; `'no'` if the value does not match.
 * `fieldsOf` returns `undefined` for a value whose fields are not known: the answer is then `'no'` if
 * another part decides it, or else `'unknown'`.
 */
export function matchPattern<V>(
  root: Pattern,
  whole: V,
  fieldsOf: FieldsOf<V>,
): ReadonlyArray<readonly [Var, V]> | 'no' | 'unknown' {
  const bound: (readonly [Var, V])[] = [];
  let isOpen = false;
  const pending: (readonly [Pattern, V])[] = [[root, whole]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pattern, value] = next;
    if (pattern._tag === 'PatternWildcard') continue;
    if (pattern._tag === 'PatternVar') {
      bound.push([pattern.variable, value]);
      continue;
    }
    const fields = fieldsOf(pattern, value);
    if (fields === 'no') return 'no';
    if (fields === undefined) {
      isOpen = true;
      continue;
    }
    for (let i = pattern.patterns.length - 1; i >= 0; i--) {
      pending.push([pattern.patterns[i] as Pattern, fields[i] as V]);
    }
  }
  return isOpen ? 'unknown' : bound;
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
