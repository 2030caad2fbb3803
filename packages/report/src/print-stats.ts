/** Prints statistics of passes on a terminal. */

import { table } from '@baton/base';
import { type PassReport, type PassReportEntry, passesRun, passStatistics } from 'batonjs';
import { ms } from './figures.ts';

/** The runs, changes, time, nodes, and counters of each pass. */
export function printStats(model: string, reports: ReadonlyArray<PassReport>): string {
  const byPass = new Map<string, PassReportEntry[]>();
  for (const entry of reports.flatMap(passesRun)) {
    const runs = byPass.get(entry.name);
    if (runs === undefined) byPass.set(entry.name, [entry]);
    else runs.push(entry);
  }
  const counts = passStatistics({ tree: reports.flatMap(({ tree }) => tree) });
  const rows = [...byPass].flatMap(([name, runs]) => [
    [
      name,
      `${runs.length}`,
      `${runs.filter((r) => r.changed).length}`,
      ms(runs.reduce((sum, r) => sum + r.ms, 0)),
      `${runs.reduce((sum, r) => sum + r.nodesBefore - r.nodesAfter, 0)}`,
    ],
    ...Object.entries(counts.get(name) ?? {}).map(([row, count]) => [`  ${row}`, `${count}`]),
  ]);
  return table([`${model}: pass`, 'runs', 'changed', 'ms', 'nodes removed'], rows);
}
