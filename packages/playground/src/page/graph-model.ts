/** A picture prepared for drawing and pointing: extents in flat arrays, and text search. */
import { KINDS, type RowAt } from '@baton/drawing';
import type { Picture } from '../protocol.ts';

export const keyOf = ({ card, row }: RowAt): string => `${card}:${row}`;

export const ROW_HEIGHT = 24;
export const CARD_PADDING = 5;

export interface Marks {
  readonly colours: ReadonlyMap<string, string>;
  /** The time of each row relative to the longest, from 0 to 1. */
  readonly heat: ReadonlyMap<string, number>;
  readonly selected: RowAt | undefined;
  readonly hits: ReadonlySet<string>;
}

export const NO_MARKS: Marks = {
  colours: new Map(),
  heat: new Map(),
  selected: undefined,
  hits: new Set(),
};

export type Palette = ReadonlyMap<string, string>;

/** The extents of cards in flat arrays, which each frame scans once. */
export interface GraphModel {
  readonly picture: Picture;
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
  readonly edgeTops: Float64Array;
  readonly edgeBottoms: Float64Array;
}

export function graphModel(picture: Picture): GraphModel {
  const { cards, edges } = picture.drawing;
  const edgeTops = new Float64Array(edges.length);
  const edgeBottoms = new Float64Array(edges.length);
  edges.forEach(({ points }, i) => {
    let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = 1; at < points.length; at += 2) {
      const y = points[at] ?? 0;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    edgeTops[i] = top;
    edgeBottoms[i] = bottom;
  });
  return {
    picture,
    tops: Float64Array.from(cards, ({ y, h }) => y - h / 2),
    bottoms: Float64Array.from(cards, ({ y, h }) => y + h / 2),
    edgeTops,
    edgeBottoms,
  };
}

export function rowAt(
  { picture, tops, bottoms }: GraphModel,
  x: number,
  y: number,
): RowAt | undefined {
  const { cards } = picture.drawing;
  for (let i = cards.length - 1; i >= 0; i--) {
    const card = cards[i];
    if (card === undefined || y < (tops[i] ?? 0) || y > (bottoms[i] ?? 0)) continue;
    if (Math.abs(x - card.x) > card.w / 2) continue;
    const row = Math.floor((y - (tops[i] ?? 0) - CARD_PADDING) / ROW_HEIGHT);
    return { card: i, row: Math.max(0, Math.min(card.rows.length - 1, row)) };
  }
  return undefined;
}

export function middleOf({ picture, tops }: GraphModel, { card, row }: RowAt) {
  const x = picture.drawing.cards[card]?.x ?? 0;
  return { x, y: (tops[card] ?? 0) + CARD_PADDING + (row + 0.5) * ROW_HEIGHT };
}

export function rowsWith({ drawing, texts }: Picture, wanted: string): ReadonlyArray<RowAt> {
  const needle = wanted.trim().toLowerCase();
  if (needle === '') return [];
  const hits = texts.map((text) => text.toLowerCase().includes(needle));
  return drawing.cards.flatMap(({ rows }, card) =>
    rows.flatMap((row, i) =>
      hits[row.op] === true || row.places.some((place) => hits[place] === true)
        ? [{ card, row: i }]
        : [],
    ),
  );
}

/** Describes a row in words, for people who do not see the drawing. */
export function wordsOf({ drawing, texts }: Picture, { card, row }: RowAt): string {
  const found = drawing.cards[card]?.rows[row];
  if (found === undefined) return '';
  const text = (at: number): string => texts[at] ?? '';
  const from = found.places.map(text).filter((place) => place !== '');
  const parts = [
    text(found.op),
    text(found.note),
    text(found.type) === '' ? '' : `→ ${text(found.type)}`,
    text(found.attrs),
    from.length === 0 ? '' : `from ${from.slice(0, 3).join(', ')}${from.length > 3 ? ' …' : ''}`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** The names of the colours of kinds, in the order of their numbers. */
export const KIND_NAMES: ReadonlyArray<string> = KINDS.map(({ name }) => name);
