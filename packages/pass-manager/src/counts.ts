/** Sums of counters. */

/** The sums of counters by name, in order of first use. A counter may have any name. */
export function sumCounts(
  all: Iterable<Readonly<Record<string, number>>>,
): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts))
      sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}
