/** Runs the mutants and prints the checks that caught them. */
import { table } from '@baton/base';
import { makeProgress } from '@baton/cli';
import { type Catch, hunt, MAX_REDUCED_CALLS, MUTANTS } from '@baton/testing';
import type { Executor } from 'batonjs';

/** Runs all mutants, or the named one, and returns whether all were caught. */
export function runMutants(
  only: string | undefined,
  executor: Executor,
  write: (text: string) => void,
): boolean {
  const chosen = MUTANTS.filter((m) => only === undefined || m.name.includes(only));
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

const describe = (found: Catch | undefined): ReadonlyArray<string> =>
  found === undefined
    ? ['nothing', '', '']
    : [`${found.pass}: ${found.property}`, `${found.programs}`, `${found.calls}`];
