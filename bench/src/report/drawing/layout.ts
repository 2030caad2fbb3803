/** Positions for a graph: layers from top to bottom. */
import { Graph as Dagre, layout } from '@dagrejs/dagre';
import type { Card, Drawing, Edge, Row } from '../page/data.ts';
import type { Graph } from './graph.ts';

/** A larger graph takes minutes to lay out and cannot be read: it is left out, which is said. */
export const MAX_DRAWN_CARDS = 3_000;

const ROW_HEIGHT = 24;
const CARD_PADDING = 5;
const MIN_WIDTH = 120;
const MAX_WIDTH = 300;
/** About the width of a character of the card's text. */
const CHARACTER = 6.4;
/** The colour mark and the space around the texts. */
const AROUND_TEXT = 46;

/** The drawing of a graph; `texts` are what its rows name. */
export function drawingOf(graph: Graph, texts: ReadonlyArray<string>): Drawing {
  const calls = graph.cards.reduce((n, rows) => n + rows.filter((r) => r.call).length, 0);
  if (graph.cards.length > MAX_DRAWN_CARDS) {
    const omitted = `${graph.cards.length} boxes; more than ${MAX_DRAWN_CARDS} are not drawn`;
    return { omitted, calls, width: 0, height: 0, cards: [], edges: [] };
  }
  const width = Math.max(MIN_WIDTH, ...graph.cards.map((rows) => widthOf(rows, texts)));
  const dagre = new Dagre();
  dagre.setGraph({
    rankdir: 'TB',
    ranksep: 26,
    nodesep: 22,
    edgesep: 12,
    marginx: 16,
    marginy: 16,
  });
  graph.cards.forEach((rows, i) => {
    dagre.setNode(`${i}`, { width, height: rows.length * ROW_HEIGHT + 2 * CARD_PADDING });
  });
  for (const [from, to] of graph.links) dagre.setEdge(`${from}`, `${to}`, {});
  layout(dagre);
  const cards: Card[] = graph.cards.map((rows, i) => {
    const { x, y, height } = dagre.node(`${i}`);
    return { x: Math.round(x), y: Math.round(y), w: Math.round(width), h: height, rows };
  });
  const edges: Edge[] = graph.links.map(([from, to]) => {
    const { points } = dagre.edge(`${from}`, `${to}`);
    return {
      from,
      to,
      points: points.flatMap(({ x, y }: { x: number; y: number }) => [
        Math.round(x),
        Math.round(y),
      ]),
    };
  });
  return { calls, ...extent(cards), cards, edges };
}

const extent = (cards: ReadonlyArray<Card>): { width: number; height: number } => ({
  width: cards.reduce((most, c) => Math.max(most, c.x + c.w / 2 + 16), 0),
  height: cards.reduce((most, c) => Math.max(most, c.y + c.h / 2 + 16), 0),
});

/** Wide enough for the name, the note, and the shape without its dtype. */
function widthOf(rows: ReadonlyArray<Row>, texts: ReadonlyArray<string>): number {
  const length = (row: Row): number => {
    const shape = (texts[row.type] ?? '').split(' ')[0] ?? '';
    return (texts[row.op] ?? '').length + (texts[row.note] ?? '').length + shape.length;
  };
  const most = rows.reduce((longest, row) => Math.max(longest, length(row)), 0);
  return Math.min(MAX_WIDTH, Math.ceil(most * CHARACTER) + AROUND_TEXT);
}
