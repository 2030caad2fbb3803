/** Finds rows by text, and rows of the other drawing with the same origins. */
import type { PageModel } from './data.ts';
import type { SceneRow } from './scene.ts';

/** Rows whose operator or origins contain the text; an empty text finds nothing. */
export function findRows(
  rows: ReadonlyArray<SceneRow>,
  wanted: string,
  model: PageModel,
): ReadonlyArray<SceneRow> {
  const needle = wanted.trim().toLowerCase();
  if (needle === '') return [];
  const hits = model.texts.map((text) => text.toLowerCase().includes(needle));
  return rows.filter(
    ({ row }) => hits[row.op] === true || row.places.some((place) => hits[place] === true),
  );
}

export type PlaceIndex = ReadonlyMap<number, ReadonlyArray<SceneRow>>;

export function placeIndex(rows: ReadonlyArray<SceneRow>): PlaceIndex {
  const index = new Map<number, SceneRow[]>();
  for (const row of rows) {
    for (const place of row.row.places) {
      const there = index.get(place);
      if (there === undefined) index.set(place, [row]);
      else there.push(row);
    }
  }
  return index;
}

/** The rows of an index that share an origin with `row`, in the order of its origins. */
export const counterparts = (row: SceneRow, index: PlaceIndex): ReadonlyArray<SceneRow> => [
  ...new Set(row.row.places.flatMap((place) => index.get(place) ?? [])),
];
