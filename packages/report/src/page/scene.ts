/** The elements of a drawing: edges, cards and rows. */
import { type Card, type Drawing, type Edge, KINDS, type Row } from '@baton/drawing';
import type { PageModel } from './data.ts';
import { svg } from './dom.ts';

export interface SceneRow {
  readonly row: Row;
  readonly card: number;
  readonly x: number;
  readonly y: number;
  readonly element: SVGGElement;
}

/** Elements that are shown and hidden together; they start hidden, so as not to delay the page. */
export interface Chunk {
  readonly element: SVGGElement;
  readonly top: number;
  readonly bottom: number;
}

export interface Scene {
  readonly root: SVGGElement;
  readonly chunks: ReadonlyArray<Chunk>;
  readonly rows: ReadonlyArray<SceneRow>;
  /** The paths, by index of the drawing's edges. */
  readonly edges: ReadonlyArray<SVGPathElement>;
}

const ROW_HEIGHT = 24;
const PADDING = 5;
const CHARACTER = 6.4;

export function makeScene(drawing: Drawing, model: PageModel): Scene {
  const rows: SceneRow[] = [];
  const edges = drawing.edges.map((edge) => svg('path', { class: 'edge', d: curve(edge) }));
  const cards = drawing.cards.map((card, i) => cardElement(card, i, model, rows));
  const chunks = [
    ...chunked(edges, (i) => edgeExtent(drawing.edges[i])),
    ...chunked(cards, (i) => cardExtent(drawing.cards[i])),
  ];
  const root = svg('g', {}, ...chunks.map((chunk) => chunk.element));
  return { root, chunks, rows, edges };
}

type Extent = readonly [top: number, bottom: number];

const CHUNK_SIZE = 40;

/** Groups elements by their lower ends. */
function chunked(
  elements: ReadonlyArray<SVGElement>,
  extentOf: (at: number) => Extent,
): ReadonlyArray<Chunk> {
  const sorted = elements
    .map((element, at) => ({ element, extent: extentOf(at) }))
    .sort((a, b) => a.extent[1] - b.extent[1]);
  const chunks: Chunk[] = [];
  for (let at = 0; at < sorted.length; at += CHUNK_SIZE) {
    const part = sorted.slice(at, at + CHUNK_SIZE);
    const element = svg('g', {}, ...part.map((one) => one.element));
    element.style.display = 'none';
    chunks.push({
      element,
      top: Math.min(...part.map(({ extent }) => extent[0])),
      bottom: Math.max(...part.map(({ extent }) => extent[1])),
    });
  }
  return chunks;
}

const edgeExtent = (edge: Edge | undefined): Extent => [
  edge?.points[1] ?? 0,
  edge?.points.at(-1) ?? 0,
];

const cardExtent = (card: Card | undefined): Extent =>
  card === undefined ? [0, 0] : [card.y - card.h / 2, card.y + card.h / 2];

/** A smooth line that leaves and enters every point vertically. */
function curve({ points }: Edge): string {
  let path = `M${points[0]} ${points[1]}`;
  for (let i = 2; i < points.length; i += 2) {
    const [x, y, nextX, nextY] = points.slice(i - 2, i + 2);
    if (x === undefined || y === undefined || nextX === undefined || nextY === undefined) break;
    const middle = (y + nextY) / 2;
    path += x === nextX ? `V${nextY}` : `C${x} ${middle} ${nextX} ${middle} ${nextX} ${nextY}`;
  }
  return path;
}

function cardElement(
  card: Card,
  position: number,
  model: PageModel,
  rows: SceneRow[],
): SVGGElement {
  const [left, top] = [card.x - card.w / 2, card.y - card.h / 2];
  const fused = card.rows.length > 1;
  const group = svg(
    'g',
    { class: fused ? 'card fused' : 'card' },
    svg('rect', { class: 'frame', x: left, y: top, width: card.w, height: card.h, rx: 8 }),
  );
  card.rows.forEach((row, i) => {
    const y = top + PADDING + i * ROW_HEIGHT;
    const element = rowElement(row, left + PADDING, y, card.w - 2 * PADDING, model);
    group.append(element);
    rows.push({ row, card: position, x: card.x, y: y + ROW_HEIGHT / 2, element });
  });
  return group;
}

function rowElement(row: Row, x: number, y: number, width: number, model: PageModel): SVGGElement {
  const text = (at: number): string => model.texts[at] ?? '';
  const shape = shapeOf(text(row.type));
  const note = text(row.note);
  const room = Math.floor((width - 26) / CHARACTER) - (note === '' ? 0 : note.length + 1);
  const name = shorten(text(row.op), Math.max(8, room - shape.length - 1));
  const middle = y + ROW_HEIGHT / 2 + 4;
  const nameElement = svg('text', { class: 'op', x: x + 12, y: middle }, name);
  if (note !== '') nameElement.append(svg('tspan', { class: 'note', dx: 6 }, note));
  return svg(
    'g',
    { class: `row kind-${KINDS[row.kind]?.name}`, 'data-call': row.call },
    svg('rect', { class: 'fill', x, y: y + 1, width, height: ROW_HEIGHT - 2, rx: 5 }),
    svg('rect', { class: 'mark', x, y: y + 1, width: 4, height: ROW_HEIGHT - 2, rx: 2 }),
    nameElement,
    svg('text', { class: 'shape', x: x + width - 8, y: middle }, shorten(shape, 22)),
  );
}

/** The shape in a type's label, without the dtype; for a tuple, the shape of its first field. */
const shapeOf = (type: string): string => type.replace(/^\(/, '').split(' ')[0] ?? '';

const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;
