/** What differs between two drawings. */
import type { Picture } from '../protocol.ts';

/** The rows of two pictures that only one of them has, by operator and origin. */
export function changedRows(
  before: Picture,
  after: Picture,
): { readonly gone: ReadonlyArray<string>; readonly come: ReadonlyArray<string> } {
  const [old, next] = [rowKeys(before), rowKeys(after)];
  return { gone: withoutTwins(old, next), come: withoutTwins(next, old) };
}

type Keyed = ReadonlyArray<readonly [at: string, key: string]>;

function rowKeys({ drawing, texts }: Picture): Keyed {
  return drawing.cards.flatMap(({ rows }, card) =>
    rows.flatMap((row, i) => {
      if (!row.call) return [];
      const places = row.places.map((place) => texts[place] ?? '').sort();
      return [[`${card}:${i}`, [texts[row.op], ...places].join('\n')] as const];
    }),
  );
}

function withoutTwins(all: Keyed, others: Keyed): ReadonlyArray<string> {
  const twins = new Map<string, number>();
  for (const [, key] of others) twins.set(key, (twins.get(key) ?? 0) + 1);
  return all.flatMap(([at, key]) => {
    const left = twins.get(key) ?? 0;
    twins.set(key, left - 1);
    return left <= 0 ? [at] : [];
  });
}
