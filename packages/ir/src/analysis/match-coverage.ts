/**
 * Finds values that no clause of a match handles, and clauses that handle none:
 * [types §8](https://batonjs.github.io/baton/spec/types#8).
 */
import { type Analysis, analysis, rebuildDag } from '@baton/base';
import type { Match, Pattern } from '../expr/expr.ts';
import type { TypeData } from '../types/type.ts';

/** The most steps that {@link matchCoverage} takes: coverage is exponential in the worst case. */
export const MAX_COVERAGE_STEPS = 4_000_000;

/** Copying a part of a case takes as long as this many comparisons. */
const COPY_STEPS = 4;

/** The most cases that are split at several positions at once. */
const MAX_PRODUCT = 1024;

/** A set of values: all, those of one constructor, or tuples. Each `Any` is a separate object. */
export type Case =
  | { readonly _tag: 'Any' }
  | { readonly _tag: 'Constructed'; readonly name: string; readonly fields: ReadonlyArray<Case> }
  | { readonly _tag: 'Tuples'; readonly fields: ReadonlyArray<Case> };

export type MatchCoverage =
  | {
      readonly _tag: 'Coverage';
      /** Cases that no clause handles; together they are all such values. */
      readonly uncovered: ReadonlyArray<Case>;
      /** The positions of clauses that no value reaches. */
      readonly redundant: ReadonlyArray<number>;
    }
  /** The answer takes more than {@link MAX_COVERAGE_STEPS} steps. */
  | { readonly _tag: 'TooLarge' };

/** The unhandled cases of a match, and its unreachable clauses. */
export const matchCoverage = (
  match: Match,
  definitions: ReadonlyMap<string, TypeData>,
): MatchCoverage => coverageUnder(definitions)(match);

/** {@link matchCoverage} of each match under the definitions. */
const coverageUnder: Analysis<
  ReadonlyMap<string, TypeData>,
  Analysis<Match, MatchCoverage>
> = analysis((definitions) => analysis((match) => findCoverage(match, definitions)));

function findCoverage(match: Match, definitions: ReadonlyMap<string, TypeData>): MatchCoverage {
  const patterns = match.clauses.map((clause) => clause.pattern);
  const pending: Case[] = [any()];
  const uncovered: Case[] = [];
  const used = new Set<number>();
  let steps = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let handled = false;
    for (const [i, pattern] of patterns.entries()) {
      const meeting = meet(pattern, next);
      steps += meeting.steps;
      if (steps > MAX_COVERAGE_STEPS) return { _tag: 'TooLarge' };
      if (meeting._tag === 'Clash') continue;
      handled = true;
      if (meeting._tag !== 'Partial') used.add(i);
      else {
        const parts = split(next, meeting.open, definitions);
        steps += parts.length * meeting.steps * COPY_STEPS;
        for (let at = parts.length - 1; at >= 0; at--) pending.push(parts[at] as Case);
      }
      break;
    }
    if (!handled) uncovered.push(next);
  }
  const redundant = patterns.map((_, i) => i).filter((i) => !used.has(i));
  return { _tag: 'Coverage', uncovered, redundant };
}

/** The unhandled cases of a match, as patterns in the text format. */
export function unmatchedCases(
  match: Match,
  definitions: ReadonlyMap<string, TypeData>,
): ReadonlyArray<string> | 'too large' {
  const coverage = matchCoverage(match, definitions);
  return coverage._tag === 'TooLarge' ? 'too large' : coverage.uncovered.map(printCase);
}

export function printCase(root: Case): string {
  let text = '';
  const pending: (Case | string)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') text += next;
    else pending.push(...casePieces(next).reverse());
  }
  return text;
}

function casePieces(one: Case): (Case | string)[] {
  if (one._tag === 'Any') return ['_'];
  const fields = one.fields.flatMap((field, i): (Case | string)[] =>
    i === 0 ? [field] : [', ', field],
  );
  if (one._tag === 'Tuples') return ['(', ...fields, one.fields.length === 1 ? ',)' : ')'];
  return fields.length === 0 ? [one.name] : [`${one.name}(`, ...fields, ')'];
}

type Any = Extract<Case, { readonly _tag: 'Any' }>;

const any = (): Any => ({ _tag: 'Any' });

/** A position at which a pattern distinguishes values of the case. */
interface Open {
  readonly at: Any;
  readonly pattern: Exclude<Pattern, { readonly _tag: 'PatternWildcard' | 'PatternVar' }>;
}

/** The meeting of a pattern with a case: it has none of its values, all of them, or some. */
type Meeting =
  | { readonly _tag: 'Clash' | 'Match'; readonly steps: number }
  | { readonly _tag: 'Partial'; readonly open: ReadonlyArray<Open>; readonly steps: number };

function meet(pattern: Pattern, against: Case): Meeting {
  const open: Open[] = [];
  const pending: [Pattern, Case][] = [[pattern, against]];
  let steps = 0;
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [at, one] = pair;
    steps++;
    if (at._tag === 'PatternWildcard' || at._tag === 'PatternVar') continue;
    if (one._tag === 'Any') {
      open.push({ at: one, pattern: at });
      continue;
    }
    if (at._tag === 'PatternConstructor') {
      if (one._tag !== 'Constructed' || one.name !== at.ctor.nameHint) {
        return { _tag: 'Clash', steps };
      }
    } else if (one._tag !== 'Tuples') return { _tag: 'Clash', steps };
    for (let i = Math.min(at.patterns.length, one.fields.length) - 1; i >= 0; i--) {
      pending.push([at.patterns[i] as Pattern, one.fields[i] as Case]);
    }
  }
  return open.length === 0 ? { _tag: 'Match', steps } : { _tag: 'Partial', open, steps };
}

/** The case in parts that the patterns at its open positions distinguish. */
function split(
  one: Case,
  open: ReadonlyArray<Open>,
  definitions: ReadonlyMap<string, TypeData>,
): ReadonlyArray<Case> {
  const choices = open.map(({ at, pattern }) => ({ at, parts: partsFor(pattern, definitions) }));
  const size = choices.reduce((product, { parts }) => product * parts.length, 1);
  const places = size <= MAX_PRODUCT ? choices : choices.slice(0, 1);
  let chosen: ReadonlyArray<ReadonlyMap<Any, () => Case>> = [new Map()];
  for (const { at, parts } of places) {
    chosen = chosen.flatMap((so) => parts.map((part) => new Map([...so, [at, part]])));
  }
  return chosen.map((choice) => replaceAny(one, choice));
}

/** The constructors of a pattern's type, as cases. */
function partsFor(
  pattern: Open['pattern'],
  definitions: ReadonlyMap<string, TypeData>,
): ReadonlyArray<() => Case> {
  if (pattern._tag === 'PatternTuple') {
    return [() => ({ _tag: 'Tuples', fields: pattern.patterns.map(any) })];
  }
  const constructors = definitions.get(pattern.ctor.belongTo.nameHint)?.constructors ?? [];
  return constructors.map(({ name, inputs }) => () => ({
    _tag: 'Constructed',
    name,
    fields: inputs.map(any),
  }));
}

/** The case with some of its open positions filled; the others become separate objects. */
function replaceAny(one: Case, choice: ReadonlyMap<Any, () => Case>): Case {
  const fieldsOf = (c: Case): ReadonlyArray<Case> => (c._tag === 'Any' ? [] : c.fields);
  return rebuildDag<Case>(fieldsOf, (c, get) => {
    if (c._tag === 'Any') return choice.get(c)?.() ?? any();
    return { ...c, fields: c.fields.map(get) };
  })(one);
}
