/** Lays out a graph: layers from top to bottom. */

import { columnsOf } from './columns.ts';
import type { Card, Drawing, Edge, Row } from './data.ts';
import type { Graph } from './graph.ts';
import { type Layers, layersOf } from './layers.ts';

/** The default of {@link DrawingOptions.most}: a browser renders more cards slowly. */
export const MAX_DRAWN_CARDS = 3_000;

export interface DrawingOptions {
  /**
   * The most cards: a larger graph has no positions, and its drawing says so. @defaultValue 3,000
   */
  readonly most?: number;
}

const ROW_HEIGHT = 24;
const CARD_PADDING = 5;
const MIN_WIDTH = 120;
const MAX_WIDTH = 300;
/** The approximate width of a character of the card's text. */
const CHARACTER = 6.4;
/** The width of the colour mark and the space around the texts. */
const AROUND_TEXT = 60;
const LAYER_GAP = 30;
const COLUMN_GAP = 20;
const MARGIN = 16;

/** `texts` are the texts of the graph's rows. */
export function drawingOf(
  graph: Pick<Graph, 'cards' | 'links'>,
  texts: ReadonlyArray<string>,
  { most = MAX_DRAWN_CARDS }: DrawingOptions = {},
): Drawing {
  const calls = graph.cards.reduce((n, rows) => n + rows.filter((r) => r.call).length, 0);
  if (graph.cards.length > most) {
    const omitted = `${graph.cards.length} boxes; more than ${most} are not drawn`;
    return { omitted, calls, width: 0, height: 0, cards: [], edges: [] };
  }
  const w = Math.round(Math.max(MIN_WIDTH, ...graph.cards.map((rows) => widthOf(rows, texts))));
  const layers = layersOf(graph.cards.length, graph.links);
  const columns = columnsOf(layers, {
    cards: graph.cards.length,
    cardWidth: w,
    waypointWidth: 0,
    gap: COLUMN_GAP,
  });
  const heights = graph.cards.map((rows) => rows.length * ROW_HEIGHT + 2 * CARD_PADDING);
  const bands = bandsOf(layers, heights);
  const left = columns.reduce(
    (least, x, item) => Math.min(least, item < heights.length ? x - w / 2 : x),
    Number.POSITIVE_INFINITY,
  );
  const xOf = (item: number): number => Math.round((columns[item] ?? 0) - left + MARGIN);
  const bandOf = (item: number): Band => bands[layers.layerOf[item] ?? 0] ?? { top: 0, bottom: 0 };
  const cards: Card[] = graph.cards.map((rows, i) => {
    const { top, bottom } = bandOf(i);
    return { x: xOf(i), y: Math.round((top + bottom) / 2), w, h: heights[i] ?? 0, rows };
  });
  const edges: Edge[] = graph.links.map(([from, to], i) => {
    const [start, end] = [cards[from], cards[to]];
    const points: number[] = [];
    if (start !== undefined)
      points.push(start.x, start.y + start.h / 2, start.x, bandOf(from).bottom);
    for (const waypoint of layers.ways[i] ?? []) {
      const { top, bottom } = bandOf(waypoint);
      points.push(xOf(waypoint), top, xOf(waypoint), bottom);
    }
    if (end !== undefined) points.push(end.x, bandOf(to).top, end.x, end.y - end.h / 2);
    return { from, to, points: withoutStops(points) };
  });
  return { calls, ...extent(cards, edges), cards, edges };
}

interface Band {
  readonly top: number;
  readonly bottom: number;
}

function bandsOf({ order }: Layers, heights: ReadonlyArray<number>): ReadonlyArray<Band> {
  let top = MARGIN;
  return order.map((layer) => {
    const height = layer.reduce((most, item) => Math.max(most, heights[item] ?? 0), 0);
    const band = { top, bottom: top + height };
    top += height + LAYER_GAP;
    return band;
  });
}

/** The points without repetitions, and without intermediate points of straight vertical lines. */
function withoutStops(points: ReadonlyArray<number>): ReadonlyArray<number> {
  const kept: number[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i] ?? 0, points[i + 1] ?? 0];
    if (kept.at(-2) === x && kept.at(-1) === y) continue;
    const isDown = kept.length >= 4 && kept.at(-2) === x && kept.at(-4) === x;
    if (isDown) kept.length -= 2;
    kept.push(x, y);
  }
  return kept;
}

function extent(
  cards: ReadonlyArray<Card>,
  edges: ReadonlyArray<Edge>,
): { readonly width: number; readonly height: number } {
  let [width, height] = [0, 0];
  for (const card of cards) {
    width = Math.max(width, card.x + card.w / 2 + MARGIN);
    height = Math.max(height, card.y + card.h / 2 + MARGIN);
  }
  for (const { points } of edges) {
    for (let i = 0; i < points.length; i += 2) width = Math.max(width, (points[i] ?? 0) + MARGIN);
  }
  return { width, height };
}

/** The width for the name, the note, and the shape without its dtype. */
function widthOf(rows: ReadonlyArray<Row>, texts: ReadonlyArray<string>): number {
  const length = (row: Row): number => {
    const shape = (texts[row.type] ?? '').split(' ')[0] ?? '';
    return (texts[row.op] ?? '').length + (texts[row.note] ?? '').length + shape.length;
  };
  const most = rows.reduce((longest, row) => Math.max(longest, length(row)), 0);
  return Math.min(MAX_WIDTH, Math.ceil(most * CHARACTER) + AROUND_TEXT);
}
