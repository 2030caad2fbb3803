/** Counts of a fuzz run: programs, changes, and counters of passes. */

import { table } from '@baton/base';
import { REGIMES, type Regime } from '@baton/equivalence';
import { standardOps } from '@baton/ops';
import { countersWith, passStatistics, sumCounts } from '@baton/pass-manager';
import { ENROLLED, type Enrolled } from './enrolment.ts';
import type { Outcome } from './properties.ts';

export interface PassTally {
  /** Programs of the pass's own group. */
  readonly programs: number;
  readonly changed: number;
  /** Programs of any group on which it ran. */
  readonly runs: number;
  /** The comparisons of the changed programs, by regime. */
  readonly regimes: Readonly<Record<Regime, number>>;
  /** Changed programs that no regime could compare. */
  readonly unknown: number;
}

export interface Tally {
  readonly passes: Readonly<Record<string, PassTally>>;
  /** Counters, by the pass's own name, then by theirs. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const emptyTally: Tally = { passes: {}, rows: {} };

const NO_REGIMES: Readonly<Record<Regime, number>> = { grid: 0, shadow: 0, native: 0, special: 0 };

const NOTHING: PassTally = { programs: 0, changed: 0, runs: 0, regimes: NO_REGIMES, unknown: 0 };

export function counted(tally: Tally, name: string, isOwn: boolean, outcome: Outcome): Tally {
  const old = tally.passes[name] ?? NOTHING;
  const { changed, equivalence, report } = outcome;
  const regimes = { ...old.regimes };
  for (const regime of REGIMES) {
    if (equivalence?.regimes[regime]._tag === 'Applied') regimes[regime]++;
  }
  const next: PassTally = {
    programs: old.programs + (isOwn ? 1 : 0),
    changed: old.changed + (isOwn && changed ? 1 : 0),
    runs: old.runs + 1,
    regimes,
    unknown: old.unknown + (changed && equivalence?.verdict === 'unknown' ? 1 : 0),
  };
  const rows: Record<string, Readonly<Record<string, number>>> = { ...tally.rows };
  for (const [pass, counts] of report === undefined ? [] : passStatistics(report)) {
    rows[pass] = sumCounts([rows[pass] ?? {}, counts]);
  }
  return { passes: { ...tally.passes, [name]: next }, rows };
}

/** A pass must change this share of its programs, or it is hardly tested. */
export const MIN_CHANGED_SHARE = 0.25;

/** Each counter must count this often. */
export const MIN_FIRED = 20;

/** The shortfalls of a run: passes that hardly changed programs, counters that hardly counted. */
export function shortfalls(tally: Tally, enrolled: ReadonlyArray<Enrolled>): ReadonlyArray<string> {
  const found: string[] = [];
  for (const { name, changes } of enrolled) {
    const { programs, changed } = tally.passes[name] ?? NOTHING;
    if (changes && changed < MIN_CHANGED_SHARE * programs) {
      found.push(`${name} changed ${changed} of ${programs} programs`);
    }
  }
  for (const { pass, counter, fired } of countersFired(tally, enrolled)) {
    if (fired < MIN_FIRED) found.push(`${pass}: counter "${counter}" fired ${fired} times`);
  }
  return found;
}

/** The counts as tables: one of passes, one of the counters. */
export function printTally(tally: Tally, enrolled: ReadonlyArray<Enrolled> = ENROLLED): string {
  const percent = (part: number, of: number): string =>
    of === 0 ? '' : `${((100 * part) / of).toFixed(0)} %`;
  const passRows = enrolled.map(({ name }) => {
    const { programs, changed, runs, regimes, unknown } = tally.passes[name] ?? NOTHING;
    const shares = REGIMES.map((regime) => `${regimes[regime]}`);
    return [name, `${runs}`, `${programs}`, percent(changed, programs), ...shares, `${unknown}`];
  });
  const header = ['pass', 'runs', 'own programs', 'changed', ...REGIMES, 'not compared'];
  const fired = countersFired(tally, enrolled).map((r) => [
    `${r.pass}: ${r.counter}`,
    `${r.fired}`,
  ]);
  return `${table(header, passRows)}\n\n${table(['counter', 'fired'], fired)}\n`;
}

/** Every counter of the passes; variants of one pass share its counters. */
function countersFired(
  tally: Tally,
  enrolled: ReadonlyArray<Enrolled>,
): ReadonlyArray<{ readonly pass: string; readonly counter: string; readonly fired: number }> {
  const tables = new Map(
    enrolled.map(({ counts }) => [counts.name, countersWith(counts, standardOps)]),
  );
  return [...tables].flatMap(([pass, counters]) =>
    counters.map((counter) => ({ pass, counter, fired: tally.rows[pass]?.[counter] ?? 0 })),
  );
}
