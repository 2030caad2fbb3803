/** Two drawings with common positions: aligned cards are at the same position in both. */
import type { Twins } from './align.ts';
import type { Card, Drawing, Edge, Row } from './data.ts';
import type { Graph } from './graph.ts';
import { type DrawingOptions, drawingOf } from './layout.ts';

type Cards = Pick<Graph, 'cards' | 'links'>;

/** Both drawings have the size of the drawing of all their cards together. */
export function alignedDrawings(
  a: Cards,
  b: Cards,
  twins: Twins,
  texts: ReadonlyArray<string>,
  options: DrawingOptions = {},
): { readonly a: Drawing; readonly b: Drawing } {
  const slots = slotsOf(a, b, cardTwins(twins, b.cards.length));
  const cards: ReadonlyArray<Row>[] = [];
  for (const [side, { cards: own }] of [a, b].entries()) {
    for (const [card, rows] of own.entries()) {
      const slot = slots[side]?.[card] ?? 0;
      if (rows.length > (cards[slot]?.length ?? 0)) cards[slot] = rows;
      else cards[slot] ??= rows;
    }
  }
  const links = new Map<string, readonly [number, number]>();
  for (const [side, { links: own }] of [a, b].entries()) {
    for (const [from, to] of own) {
      const link = [slots[side]?.[from] ?? 0, slots[side]?.[to] ?? 0] as const;
      links.set(link.join(), link);
    }
  }
  const whole = drawingOf({ cards, links: [...links.values()] }, texts, options);
  const edges = new Map([...links.keys()].map((key, i) => [key, whole.edges[i]] as const));
  const part = (side: 0 | 1, own: Cards): Drawing =>
    partOf(whole, own, (card) => slots[side][card] ?? 0, edges);
  return { a: part(0, a), b: part(1, b) };
}

/** The card of the first graph for each card of the second: by its last row, or else another. */
function cardTwins(twins: Twins, count: number): ReadonlyArray<number | undefined> {
  const found: (number | undefined)[] = new Array(count).fill(undefined);
  const taken = new Set<number>();
  // Rows are in order: the last row of a card, which contains its result, decides.
  for (const [from, to] of twins.toReversed()) {
    if (found[to.card] !== undefined || taken.has(from.card)) continue;
    found[to.card] = from.card;
    taken.add(from.card);
  }
  return found;
}

/**
 * A slot for each card of both graphs, shared by a card and its counterpart, such that links lead
 * to higher slots. Counterparts in opposite orders may make a cycle: some of these get two slots.
 */
function slotsOf(
  a: Cards,
  b: Cards,
  twinOf: ReadonlyArray<number | undefined>,
): readonly [ReadonlyArray<number>, ReadonlyArray<number>] {
  const slots: [number[], number[]] = [[], []];
  const partner = new Map(twinOf.flatMap((from, to) => (from === undefined ? [] : [[from, to]])));
  const [sourcesA, sourcesB] = [sourcesOf(a), sourcesOf(b)];
  const isReady = (side: 0 | 1, card: number): boolean =>
    ((side === 0 ? sourcesA : sourcesB)[card] ?? []).every((s) => slots[side][s] !== undefined);
  let next = 0;
  let [i, j] = [0, 0];
  // The cards of a graph are numbered after their sources: merges the two orders.
  while (i < a.cards.length || j < b.cards.length) {
    if (slots[0][i] !== undefined) i++;
    else if (slots[1][j] !== undefined) j++;
    else if (i < a.cards.length && partner.get(i) === undefined) slots[0][i++] = next++;
    else if (j < b.cards.length && twinOf[j] === undefined) slots[1][j++] = next++;
    else {
      const mine = i < a.cards.length ? partner.get(i) : undefined;
      const theirs = j < b.cards.length ? twinOf[j] : undefined;
      if (mine !== undefined && slots[1][mine] === undefined && isReady(1, mine)) {
        slots[1][mine] = next;
        slots[0][i++] = next++;
      } else if (theirs !== undefined && slots[0][theirs] === undefined && isReady(0, theirs)) {
        slots[0][theirs] = next;
        slots[1][j++] = next++;
      } else if (i < a.cards.length) slots[0][i++] = next++;
      else slots[1][j++] = next++;
    }
  }
  return slots;
}

function sourcesOf({ cards, links }: Cards): ReadonlyArray<ReadonlyArray<number>> {
  const sources: number[][] = cards.map(() => []);
  for (const [from, to] of links) sources[to]?.push(from);
  return sources;
}

/** The cards and edges of one graph, at their positions in the common drawing. */
function partOf(
  whole: Drawing,
  { cards: own, links }: Cards,
  slotOf: (card: number) => number,
  edgeOf: ReadonlyMap<string, Edge | undefined>,
): Drawing {
  const calls = own.reduce((n, rows) => n + rows.filter((row) => row.call).length, 0);
  if (whole.omitted !== undefined) return { ...whole, calls };
  const cards = own.map((rows, card): Card => {
    const { x, y, w, h, rows: most } = whole.cards[slotOf(card)] ?? NOWHERE;
    const missing = (most.length - rows.length) * (h / Math.max(1, most.length));
    const height = most.length === rows.length ? h : h - Math.round(missing);
    return { x, y: y - h / 2 + height / 2, w, h: height, rows };
  });
  const edges = links.flatMap(([from, to]): Edge[] => {
    const edge = edgeOf.get([slotOf(from), slotOf(to)].join());
    const start = cards[from];
    if (edge === undefined || start === undefined) return [];
    const points = [...edge.points];
    points[1] = start.y + start.h / 2;
    return [{ from, to, points }];
  });
  return { ...whole, calls, cards, edges };
}

const NOWHERE: Card = { x: 0, y: 0, w: 0, h: 0, rows: [] };
