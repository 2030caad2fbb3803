/** Runs the mutants and tells which were caught, by what. */

import { table } from '@baton/base';
import { type Catch, NORMAL_SEED } from '@baton/testing';
import { makeProgress } from '../../progress.ts';
import { occurrences, withMutant } from './bundle.ts';
import { MUTANTS, type Mutant } from './table.ts';

/** The most operator calls that a reduced failure may have. */
export const MAX_REDUCED_CALLS = 6;

/** Looks for a failure of one mutant among what the normal run tries. */
export async function catchMutant(mutant: Mutant): Promise<Catch | undefined> {
  const { hunt } = await withMutant(mutant);
  return hunt(mutant.group, NORMAL_SEED, mutant.passes);
}

/** Runs all mutants, or the one named; whether all of them were caught. */
export async function runMutants(
  only: string | undefined,
  write: (text: string) => void,
): Promise<boolean> {
  const chosen = MUTANTS.filter((m) => only === undefined || m.name.includes(only));
  const progress = makeProgress();
  const rows: string[][] = [];
  let caught = 0;
  for (const mutant of chosen) {
    const found = occurrences(mutant) === 1 ? await catchMutant(mutant) : undefined;
    const isCaught = found !== undefined && found.calls <= MAX_REDUCED_CALLS;
    if (isCaught) caught++;
    if (chosen.length === 1 && found !== undefined) write(found.text);
    const row = [mutant.name, ...describe(mutant, found)];
    progress.step(row.join('  '));
    rows.push(row);
  }
  progress.done();
  write(table(['mutant', 'caught by', 'programs', 'operator calls left'], rows));
  write(`${caught} of ${chosen.length} mutants caught`);
  return caught === chosen.length;
}

function describe(mutant: Mutant, found: Catch | undefined): ReadonlyArray<string> {
  if (occurrences(mutant) !== 1) return ['the fragment does not stand in its file once', '', ''];
  if (found === undefined) return ['nothing', '', ''];
  return [`${found.pass}: ${found.property}`, `${found.programs}`, `${found.calls}`];
}
