/** The searches of several networks. */
import { readFile } from 'node:fs/promises';
import { isLeft } from '@baton/base';
import type { SearchRow } from '@baton/report';
import { rewrites } from 'batonjs';
import { inReports, write } from '../files.ts';
import { PUBLISHED } from './published.ts';
import { searchNetwork } from './searches.ts';

/** The choices of {@link searchRows}. */
export interface RowOptions {
  /** Whether the found programs are run. */
  readonly runs: boolean;
  /** The names of networks; none stands for all. */
  readonly names?: ReadonlyArray<string>;
}

/**
 * The searches of networks of Tensat's table. Times of calls are kept in
 * `bench/report/call-times.json`: each is measured once on a machine.
 */
export async function searchRows({
  runs,
  names = [],
}: RowOptions): Promise<ReadonlyArray<SearchRow>> {
  const file = inReports('call-times.json');
  let times = await timesIn(file);
  const rows: SearchRow[] = [];
  for (const published of PUBLISHED) {
    if (names.length > 0 && !names.includes(published.name)) continue;
    const searched = searchNetwork(published, { times, runs });
    times = searched.times;
    rows.push(searched.row);
    await write(file, `${JSON.stringify(times, null, 1)}\n`);
  }
  return rows;
}

/** The times in a file; none if there is no such file, or it holds anything else. */
async function timesIn(file: string): Promise<rewrites.CallTimes> {
  try {
    const read = rewrites.readCallTimes(JSON.parse(await readFile(file, 'utf8')));
    return isLeft(read) ? {} : read.right;
  } catch {
    return {};
  }
}
