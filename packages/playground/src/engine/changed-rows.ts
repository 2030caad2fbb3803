/** What differs between two drawings. */
import { withoutTwins } from '@baton/drawing';
import type { Picture } from '../protocol.ts';

/** The rows of two pictures that only one of them has, by operator and origin. */
export function changedRows(
  before: Picture,
  after: Picture,
): { readonly gone: ReadonlyArray<string>; readonly come: ReadonlyArray<string> } {
  const [old, next] = [keyedRows(before), keyedRows(after)];
  const placesOf = (rows: ReadonlyArray<Keyed>): ReadonlyArray<string> => rows.map(({ at }) => at);
  return { gone: placesOf(withoutTwins(old, next)), come: placesOf(withoutTwins(next, old)) };
}

/** A row by its place, with its operator and origin. */
interface Keyed {
  readonly at: string;
  readonly key: string;
}

function keyedRows({ drawing, texts }: Picture): ReadonlyArray<Keyed> {
  return drawing.cards.flatMap(({ rows }, card) =>
    rows.flatMap((row, i) => {
      if (!row.call) return [];
      const places = row.places.map((place) => texts[place] ?? '').sort();
      return [{ at: `${card}:${i}`, key: [texts[row.op], ...places].join('\n') }];
    }),
  );
}
