/** Patterns against values of which something is known. */
import type { Clause, Pattern, Var } from '@baton/ir';
import type { Value } from './value.ts';

/** The variables of a pattern that fits for sure; 'no' if it never fits. */
type Fit = ReadonlyArray<readonly [Var, Value]> | 'no' | 'unknown';

/** A clause that is taken, and the values of its variables. */
export interface Taken {
  readonly clause: Clause;
  readonly values: ReadonlyArray<readonly [Var, Value]>;
}

/** The clause that a value takes; `undefined` if that is open, or there is none. */
export function clauseTaken(clauses: ReadonlyArray<Clause>, value: Value): Taken | undefined {
  for (const clause of clauses) {
    const fit = fitOf(clause.pattern, value);
    if (fit === 'unknown') return undefined;
    if (fit !== 'no') return { clause, values: fit };
  }
  return undefined;
}

function fitOf(pattern: Pattern, value: Value): Fit {
  const values: (readonly [Var, Value])[] = [];
  let isOpen = false;
  const pending: (readonly [Pattern, Value])[] = [[pattern, value]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [wanted, found] = pair;
    const inner = innerPatterns(wanted);
    if (wanted._tag === 'PatternVar') values.push([wanted.variable, found]);
    const fields = inner && fieldsFor(wanted, found);
    if (fields === 'no') return 'no';
    if (inner === undefined) continue;
    if (fields === undefined) isOpen = true;
    else for (const [i, part] of inner.entries()) pending.push([part, fields[i] as Value]);
  }
  return isOpen ? 'unknown' : values;
}

const innerPatterns = (pattern: Pattern): ReadonlyArray<Pattern> | undefined =>
  pattern._tag === 'PatternConstructor' || pattern._tag === 'PatternTuple'
    ? pattern.patterns
    : undefined;

/** The parts of the value for those of the pattern; 'no' for another constructor. */
function fieldsFor(pattern: Pattern, { known }: Value): ReadonlyArray<Value> | 'no' | undefined {
  if (pattern._tag === 'PatternTuple') return known?._tag === 'tuple' ? known.fields : undefined;
  if (pattern._tag !== 'PatternConstructor' || known?._tag !== 'data') return undefined;
  return pattern.ctor.tag === known.ctor.tag ? known.fields : 'no';
}
