/** Patterns against values of which something is known. */
import { type Clause, type FieldsOf, matchPattern, type Var } from '@baton/ir';
import type { Value } from './value.ts';

/** A clause that is taken, and the values of its variables. */
export interface Taken {
  readonly clause: Clause;
  readonly values: ReadonlyArray<readonly [Var, Value]>;
}

/** The clause that a value takes; `undefined` if that is open, or there is none. */
export function clauseTaken(clauses: ReadonlyArray<Clause>, value: Value): Taken | undefined {
  for (const clause of clauses) {
    const values = matchPattern(clause.pattern, value, knownFields);
    if (values === 'unknown') return undefined;
    if (values !== 'no') return { clause, values };
  }
  return undefined;
}

const knownFields: FieldsOf<Value> = (pattern, { known }) => {
  if (pattern._tag === 'PatternTuple') return known?._tag === 'tuple' ? known.fields : undefined;
  if (known?._tag !== 'data') return undefined;
  return pattern.ctor.tag === known.ctor.tag ? known.fields : 'no';
};
