/** "Did you mean": finds the known name nearest to a wrong one. */

/** Names longer than this are not compared. */
const MAX_NAME = 64;

const MAX_CANDIDATES = 2_000;

/** A hint that proposes the nearest of `names`, each written after `sigil`; none if all are far. */
export function didYouMean(name: string, names: Iterable<string>, sigil = ''): string | undefined {
  const best = nearest(name, names);
  return best === undefined ? undefined : `did you mean \`${sigil}${best}\`?`;
}

/** The first of the nearest names, if it is near enough to be meant. */
function nearest(name: string, names: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const wanted = name.toLowerCase();
  const last = lastPart(wanted);
  let best: string | undefined;
  // A third of the letters may be wrong.
  let bound = Math.max(1, Math.floor(name.length / 3)) + 1;
  let count = 0;
  for (const candidate of names) {
    if (count++ === MAX_CANDIDATES) break;
    // `relu` for `nn.relu`: the right name under the wrong prefix is a near miss.
    const known = candidate.toLowerCase();
    const distance =
      known !== wanted && lastPart(known) === last ? 1 : editDistance(wanted, known, bound);
    if (distance >= bound) continue;
    bound = distance;
    best = candidate;
  }
  return best;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/**
 * The edit distance, or `bound` if it is no smaller; two letters in the wrong order are one edit.
 *
 * **Source** the optimal string alignment distance, after Damerau 1964 and Levenshtein 1966.
 */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound || b.length > MAX_NAME) return bound;
  let before: ReadonlyArray<number> = [];
  let row: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + change,
      );
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return Math.min(bound, row[b.length] as number);
}
