/** Right-hand sides as straight-line programs. */
import {
  clausesOf,
  MATCHED,
  type Pattern,
  partsOf,
  payloadVariable,
  type Side,
} from '../pattern.ts';
import type { OperatorPattern } from './program.ts';

/** The source of a value: variable `i` of the match, or, as −1 − j, the result of step `j`. */
export type Source = number;

export interface BuildStep {
  readonly operator: OperatorPattern;
  readonly args: ReadonlyArray<Source>;
  /** The variable of the payload; −1 if the operator has its own. */
  readonly payload: number;
}

/** A right-hand side in straight line: nodes to add, then classes to unite. */
export interface Builder {
  /** The number of variables of a match. */
  readonly variables: number;
  readonly steps: ReadonlyArray<BuildStep>;
  /** Pairs of equal values; the first of a pair may be `ROOT`. */
  readonly unions: ReadonlyArray<readonly [Source | typeof ROOT, Source]>;
}

/** The matched class, in a builder's unions. */
export const ROOT = 'root';

/** The builder of a right-hand side whose variables the left-hand side numbers. */
export function compileBuilder(right: Side, variables: ReadonlyArray<string>): Builder {
  const steps: BuildStep[] = [];
  const known = new Map<string, Source | typeof ROOT>(variables.map((name, i) => [name, i]));
  known.set(MATCHED, ROOT);
  const build = (p: Pattern): Source => {
    if (p._tag === 'Variable') return known.get(p.name) as Source;
    const args = partsOf(p).map(build);
    const content = contentOf(p, args);
    const same = steps.findIndex((step) =>
      contentOf(step.operator, step.args).every((part, i) => Object.is(part, content[i])),
    );
    const payload = variables.indexOf(payloadVariable(p) ?? '');
    return same >= 0 ? -1 - same : -steps.push({ operator: p, args, payload });
  };
  const unions: (readonly [Source | typeof ROOT, Source])[] = [];
  for (const { variable, pattern } of clausesOf(right)) {
    const target = known.get(variable);
    const value = build(pattern);
    if (target === undefined) known.set(variable, value);
    else unions.push([target, value]);
  }
  return { variables: variables.length, steps, unions };
}

/** The content that distinguishes nodes. */
const contentOf = (p: OperatorPattern, args: ReadonlyArray<Source>): ReadonlyArray<unknown> => [
  p._tag,
  args.length,
  ...args,
  ...(p._tag === 'Atom' ? [p.token] : [p.name, payloadVariable(p) ?? p.payload]),
];
