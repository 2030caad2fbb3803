/** A hint that names the candidate nearest to `name`, if one is near enough to be a slip. */
export function didYouMean(name: string, candidates: ReadonlyArray<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.ceil(name.length / 2));
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best === undefined ? undefined : `did you mean \`${best}\`?`;
}

/** Levenshtein's distance, or `limit` if it is not below that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(substitution, (previous[j] as number) + 1, (row[j - 1] as number) + 1);
    }
    previous = row;
  }
  return Math.min(limit, previous[b.length] as number);
}
