/** [language §5](https://batonjs.github.io/baton/spec/language#5), Patterns. */
import type { Pattern, Var } from '@baton/ir';
import type { Value } from '../values/value.ts';

/** The bindings of a pattern in a value, left to right; `undefined` if it does not match. */
export function matchPattern(root: Pattern, whole: Value): ReadonlyMap<Var, Value> | undefined {
  const bound = new Map<Var, Value>();
  const pending: Array<readonly [Pattern, Value]> = [[root, whole]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pattern, value] = next;
    if (pattern._tag === 'PatternWildcard') continue;
    if (pattern._tag === 'PatternVar') {
      bound.set(pattern.variable, value);
      continue;
    }
    if (value._tag !== 'Adt' && value._tag !== 'Tuple') return undefined;
    if (pattern._tag === 'PatternConstructor') {
      if (value._tag !== 'Adt' || value.ctor.tag !== pattern.ctor.tag) return undefined;
    }
    for (let i = pattern.patterns.length - 1; i >= 0; i--) {
      pending.push([pattern.patterns[i] as Pattern, value.fields[i] as Value]);
    }
  }
  return bound;
}
