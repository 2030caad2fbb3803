import type { Clause, Pattern } from '../pattern.ts';
import { type OperatorRef, OperatorRefs } from './program.ts';

/** Where a value comes from: variable `i` of the match, or, as −1 − j, the result of step `j`. */
export type Source = number;

/** Adds one node. */
export interface BuildStep {
  readonly op: number;
  readonly args: ReadonlyArray<Source>;
}

/** A right-hand side in straight line: nodes to add, then classes to unite. */
export interface Builder {
  readonly operators: ReadonlyArray<OperatorRef>;
  readonly steps: ReadonlyArray<BuildStep>;
  /** What becomes equal to what; the first of a pair may be `ROOT`. */
  readonly unions: ReadonlyArray<readonly [Source | typeof ROOT, Source]>;
  /** How many values there are in all. */
  readonly made: number;
}

/** The matched class, in a builder's unions. */
export const ROOT = 'root';

/** The builder of a right-hand side whose variables the left-hand side numbers. */
export function compileBuilder(
  right: ReadonlyArray<Clause> | Pattern,
  variables: ReadonlyArray<string>,
): Builder {
  const operators = new OperatorRefs();
  const steps: BuildStep[] = [];
  const known = new Map<string, Source>(variables.map((name, i) => [name, i]));
  const build = (p: Pattern): Source => {
    if (p._tag === 'Variable') return known.get(p.name) ?? 0;
    const args = p._tag === 'Node' ? p.children.map(build) : [];
    const op = operators.of(p);
    const same = steps.findIndex((s) => s.op === op && s.args.every((arg, i) => arg === args[i]));
    return same >= 0 ? -1 - same : -steps.push({ op, args });
  };
  const unions: (readonly [Source | typeof ROOT, Source])[] = [];
  if ('_tag' in right) unions.push([ROOT, build(right)]);
  else {
    for (const { variable, pattern } of right) {
      const target = known.get(variable);
      const value = build(pattern);
      if (target === undefined) known.set(variable, value);
      else unions.push([target, value]);
    }
  }
  return { operators: operators.all, steps, unions, made: steps.length };
}
