/** [language §5](https://batonjs.github.io/baton/spec/language#5), Patterns. */
import { type FieldsOf, matchPattern, type Pattern, type Var } from '@baton/ir';
import type { Value } from '../values/value.ts';

/** The bindings of a pattern in a value, left to right; `undefined` if it does not match. */
export function bindingsOf(
  pattern: Pattern,
  value: Value,
): ReadonlyArray<readonly [Var, Value]> | undefined {
  const bound = matchPattern(pattern, value, fieldsOf);
  return typeof bound === 'string' ? undefined : bound;
}

const fieldsOf: FieldsOf<Value> = (pattern, value) => {
  if (pattern._tag === 'PatternTuple') return value._tag === 'Tuple' ? value.fields : 'no';
  return value._tag === 'Adt' && value.ctor.tag === pattern.ctor.tag ? value.fields : 'no';
};
