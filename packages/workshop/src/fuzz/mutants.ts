/** Runs the mutants, of passes and of compiled code, and prints the checks that caught them. */
import { table } from '@baton/base';
import { makeProgress } from '@baton/cli';
import { type Catch, hunt, MAX_REDUCED_CALLS, MUTANTS } from '@baton/testing';
import type { Executor } from 'batonjs';
import { loadMutated } from '../code-mutants/bundle.ts';
import { CODE_MUTANTS } from '../code-mutants/mutants.ts';

/** Runs all mutants, or the named one, and returns whether all were caught. */
export function runMutants(
  only: string | undefined,
  executor: Executor,
  write: (text: string) => void,
): boolean {
  const chosen = MUTANTS.filter((m) => only === undefined || m.name.includes(only));
  if (chosen.length === 0) return true;
  const progress = makeProgress('lines');
  const rows: string[][] = [];
  let caught = 0;
  for (const mutant of chosen) {
    const found = hunt(mutant, executor);
    if (found !== undefined && found.calls <= MAX_REDUCED_CALLS) caught++;
    if (chosen.length === 1 && found !== undefined) write(found.text);
    const row = [mutant.name, ...describe(found)];
    progress.step(row.join('  '));
    rows.push(row);
  }
  progress.done();
  write(table(['mutant', 'caught by', 'programs', 'operator calls left'], rows));
  write(`${caught} of ${chosen.length} mutants caught on the ${executor.name}`);
  return caught === chosen.length;
}

/** Runs the mutants of compiled code, or those of the name, and returns whether all were caught. */
export async function runCodeMutants(
  only: string | undefined,
  write: (text: string) => void,
): Promise<boolean> {
  const chosen = CODE_MUTANTS.filter(({ name }) => only === undefined || name.includes(only));
  if (chosen.length === 0) return true;
  const { difference } = await loadMutated();
  const rows: string[][] = [];
  let caught = 0;
  for (const mutant of chosen) {
    const { name, file, shownBy } = mutant;
    const found = difference(CODE_MUTANTS.indexOf(mutant), shownBy);
    if (found !== undefined) caught++;
    if (chosen.length === 1 && found !== undefined) write(found.problem);
    rows.push([name, file, found === undefined ? 'nothing' : shownBy, `${found?.cases ?? ''}`]);
  }
  write(table(['mutant of compiled code', 'file', 'caught by', 'calls or programs'], rows));
  write(`${caught} of ${chosen.length} mutants of compiled code caught`);
  return caught === chosen.length;
}

const describe = (found: Catch | undefined): ReadonlyArray<string> =>
  found === undefined
    ? ['nothing', '', '']
    : [`${found.pass}: ${found.property}`, `${found.programs}`, `${found.calls}`];
