/**
 * Aligns the rows of two graphs that show the same step of a computation: by name, by origin, and
 * by neighbours. An operator that was replaced by another between the same neighbours is aligned,
 * too.
 */
import type { Row } from './data.ts';
import type { Graph } from './graph.ts';

export interface RowAt {
  readonly card: number;
  readonly row: number;
}

/** Rows of the first graph, each with its counterpart in the second. A row has at most one. */
export type Twins = ReadonlyArray<readonly [RowAt, RowAt]>;

export interface AlignOptions {
  /** Whether equal origins are one node, as after a pass; two texts have equal lines by chance. */
  readonly hasSharedOrigins: boolean;
}

/**
 * Aligns two graphs, whose rows name the texts of one table.
 *
 * **Complexity** near-linear in rows, origins and links.
 */
export function alignRows(
  a: Pick<Graph, 'cards' | 'links'>,
  b: Pick<Graph, 'cards' | 'links'>,
  { hasSharedOrigins }: AlignOptions,
): Twins {
  const pairing = makePairing(flat(a), flat(b));
  alignEdges(pairing);
  if (hasSharedOrigins) {
    alignByKey(pairing, ({ op, type, places }) =>
      places.length === 0 ? undefined : `${op} ${type} ${places.toSorted().join()}`,
    );
    alignCovered(pairing);
  }
  alignByNeighbours(pairing);
  const { first, second, twinOfFirst } = pairing;
  return first.rows.flatMap((_, i) => {
    const [from, to] = [first.at[i], second.at[twinOfFirst[i] ?? -1]];
    return from === undefined || to === undefined ? [] : [[from, to] as const];
  });
}

interface Flat {
  readonly rows: ReadonlyArray<Row>;
  readonly at: ReadonlyArray<RowAt>;
  /** The last row of each card, which contains the card's result. */
  readonly lastOf: ReadonlyArray<number>;
  readonly sources: ReadonlyArray<ReadonlyArray<number>>;
  readonly users: ReadonlyArray<ReadonlyArray<number>>;
}

function flat({ cards, links }: Pick<Graph, 'cards' | 'links'>): Flat {
  const at = cards.flatMap((rows, card) => rows.map((_, row) => ({ card, row })));
  const lastOf: number[] = [];
  let count = 0;
  for (const { length } of cards) {
    count += length;
    lastOf.push(count - 1);
  }
  const sources: number[][] = cards.map(() => []);
  const users: number[][] = cards.map(() => []);
  for (const [from, to] of links) {
    sources[to]?.push(from);
    users[from]?.push(to);
  }
  return { rows: cards.flat(), at, lastOf, sources, users };
}

/** The pairs found so far, by row index; -1 for none. */
interface Pairing {
  readonly first: Flat;
  readonly second: Flat;
  readonly twinOfFirst: Int32Array;
  readonly twinOfSecond: Int32Array;
}

const makePairing = (first: Flat, second: Flat): Pairing => ({
  first,
  second,
  twinOfFirst: new Int32Array(first.rows.length).fill(-1),
  twinOfSecond: new Int32Array(second.rows.length).fill(-1),
});

function pair({ twinOfFirst, twinOfSecond }: Pairing, i: number, j: number): void {
  twinOfFirst[i] = j;
  twinOfSecond[j] = i;
}

const free = (twins: Int32Array): ReadonlyArray<number> =>
  Array.from(twins.keys()).filter((i) => twins[i] === -1);

function addTo<K>(lists: Map<K, number[]>, key: K, item: number): void {
  const there = lists.get(key);
  if (there === undefined) lists.set(key, [item]);
  else there.push(item);
}

/** Aligns inputs and outputs by name, and other inputs by position, if their types agree. */
function alignEdges(pairing: Pairing): void {
  alignByKey(pairing, ({ call, op }) => (call ? undefined : `${op}`));
  const isInput = ({ rows, at, sources }: Flat, i: number): boolean =>
    rows[i]?.call === false && sources[at[i]?.card ?? -1]?.length === 0;
  const { first, second, twinOfFirst, twinOfSecond } = pairing;
  const others = free(twinOfSecond).filter((j) => isInput(second, j));
  const inputs = free(twinOfFirst).filter((i) => isInput(first, i));
  for (const [at, i] of inputs.entries()) {
    const j = others[at];
    if (j !== undefined && first.rows[i]?.type === second.rows[j]?.type) pair(pairing, i, j);
  }
}

function alignByKey(pairing: Pairing, keyOf: (row: Row) => string | undefined): void {
  const { first, second, twinOfFirst, twinOfSecond } = pairing;
  const queues = new Map<string, number[]>();
  for (const i of free(twinOfFirst).toReversed()) {
    const row = first.rows[i];
    const key = row && keyOf(row);
    if (key !== undefined) addTo(queues, key, i);
  }
  for (const j of free(twinOfSecond)) {
    const row = second.rows[j];
    const i = row && queues.get(keyOf(row) ?? '')?.pop();
    if (i !== undefined) pair(pairing, i, j);
  }
}

/** A row merged from several has the origins of all, and is aligned with the last of them. */
function alignCovered(pairing: Pairing): void {
  const { first, second, twinOfFirst, twinOfSecond } = pairing;
  for (const [j, i] of coverings(second, twinOfSecond, first, twinOfFirst)) pair(pairing, i, j);
  for (const [i, j] of coverings(first, twinOfFirst, second, twinOfSecond)) pair(pairing, i, j);
}

/** Rows of `large`, each with the last row of `small` whose origins are a subset of those. */
function coverings(
  large: Flat,
  largeTwins: Int32Array,
  small: Flat,
  smallTwins: Int32Array,
): ReadonlyArray<readonly [number, number]> {
  const byPlace = new Map<number, number[]>();
  for (const i of free(smallTwins)) {
    for (const place of small.rows[i]?.places ?? []) addTo(byPlace, place, i);
  }
  const taken = new Set<number>();
  const found: (readonly [number, number])[] = [];
  for (const j of free(largeTwins).toReversed()) {
    const row = large.rows[j];
    if (row?.call !== true) continue;
    const places = new Set(row.places);
    let last = -1;
    for (const place of places) {
      for (const i of byPlace.get(place) ?? []) {
        const other = small.rows[i];
        if (i <= last || taken.has(i) || other?.call !== true || other.type !== row.type) continue;
        if (other.places.every((one) => places.has(one))) last = i;
      }
    }
    if (last < 0) continue;
    taken.add(last);
    found.push([j, last]);
  }
  return found;
}

/** The most rounds over all variants of {@link alignByNeighbours}. */
const MOST_ROUNDS = 6;

/** Aligns cards between the same neighbours: of the same operator first, then of any. */
function alignByNeighbours(pairing: Pairing): void {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const same = alignBetween(pairing, 'sources', true) + alignBetween(pairing, 'users', true);
    if (same > 0) continue;
    const other = alignBetween(pairing, 'sources', false) + alignBetween(pairing, 'users', false);
    if (other === 0) return;
  }
}

/** Aligns cards whose neighbours on one side are all aligned, and counts the pairs. */
function alignBetween(pairing: Pairing, side: 'sources' | 'users', isSameOp: boolean): number {
  const { first, second, twinOfFirst, twinOfSecond } = pairing;
  const keyOf = ({ op, type, call }: Row, neighbours: ReadonlyArray<number>): string =>
    `${call} ${isSameOp ? op : ''} ${type} ${neighbours.join()}`;
  const waiting = new Map<string, number[]>();
  first.lastOf.forEach((i, card) => {
    const [row, neighbours] = [first.rows[i], first[side][card] ?? []];
    if (row === undefined || twinOfFirst[i] !== -1 || neighbours.length === 0) return;
    addTo(waiting, keyOf(row, neighbours), i);
  });
  let count = 0;
  const cards = [...second.lastOf.keys()];
  for (const card of side === 'sources' ? cards : cards.toReversed()) {
    const j = second.lastOf[card] ?? -1;
    const [row, neighbours] = [second.rows[j], second[side][card] ?? []];
    if (row === undefined || twinOfSecond[j] !== -1 || neighbours.length === 0) continue;
    const aligned = neighbours.map(
      (other) => first.at[twinOfSecond[second.lastOf[other] ?? -1] ?? -1]?.card ?? -1,
    );
    if (aligned.includes(-1)) continue;
    const there = waiting.get(keyOf(row, aligned)) ?? [];
    const alike = there.findIndex((i) => first.rows[i]?.attrs === row.attrs);
    const [i] = there.splice(Math.max(0, alike), 1);
    if (i === undefined) continue;
    pair(pairing, i, j);
    count++;
  }
  return count;
}
