/** Counts of rows. */

/** The sum of counts, row by row, in order of first use. A row may have any name. */
export function sumCounts(
  all: Iterable<Readonly<Record<string, number>>>,
): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [row, count] of Object.entries(counts)) sums.set(row, (sums.get(row) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
