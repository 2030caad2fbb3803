/** Prints the searches of networks on a terminal. */
import { table } from '@baton/base';
import type { SearchRow } from './schema.ts';

/** A row for each network: seconds and gains by each cost, then those of Tensat and TASO. */
export function printSearches(rows: ReadonlyArray<SearchRow>): string {
  const [first] = rows;
  const header = [
    'network',
    ...(first?.costs ?? []).flatMap(({ cost }) => [`${cost}: s`, 'gain %', 'time %']),
    'Tensat: s',
    'gain %',
    'TASO: s',
    'gain %',
  ];
  return table(
    header,
    rows.map(({ network, costs, tensat, taso }) => [
      network,
      ...costs.flatMap(({ seconds, gain, runGain }) => [
        seconds.toFixed(2),
        gain.toFixed(1),
        runGain?.toFixed(1) ?? '',
      ]),
      ...[tensat.seconds, tensat.gain, taso.seconds, taso.gain].map((n) => n.toFixed(1)),
    ]),
  );
}
