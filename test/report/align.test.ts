/** The alignment of random graphs, and their drawings at the same places. */
import { alignedDrawings, alignRows, type Drawing, type Row, type RowAt } from '@baton/drawing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

const SEED = 20261127;
const RUNS = { seed: SEED, numRuns: amount(600, { quick: 150 }) };

interface Cards {
  readonly cards: ReadonlyArray<ReadonlyArray<Row>>;
  readonly links: ReadonlyArray<readonly [number, number]>;
}

const rowOf = (op: number, type: number, places: ReadonlyArray<number>): Row => ({
  kind: 0,
  call: true,
  places,
  op,
  note: 0,
  type,
  inputs: 0,
  attrs: 0,
});

/** Graphs of few operators and types, so that many rows look alike; links go to higher numbers. */
const graphs: fc.Arbitrary<Cards> = fc.integer({ min: 1, max: 14 }).chain((count) =>
  fc.record({
    cards: fc.array(
      fc.array(
        fc
          .tuple(fc.nat(2), fc.nat(1), fc.array(fc.nat(5), { maxLength: 2 }))
          .map(([op, type, places]) => rowOf(op, type, places)),
        { minLength: 1, maxLength: 3 },
      ),
      { minLength: count, maxLength: count },
    ),
    links: fc
      .uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
        selector: ([a, b]) => a * count + b,
        maxLength: 20,
      })
      .map((pairs) => pairs.filter(([from, to]) => from < to)),
  }),
);

const keyOf = ({ card, row }: RowAt): string => `${card}:${row}`;

/** Edges lead down, and no card covers another one. */
function checkDrawing({ cards, edges }: Drawing): void {
  for (const { from, to } of edges) expect(cards[from]?.y).toBeLessThan(cards[to]?.y ?? 0);
  for (const [i, a] of cards.entries()) {
    for (const b of cards.slice(i + 1)) {
      const isApart =
        Math.abs(a.x - b.x) >= (a.w + b.w) / 2 || Math.abs(a.y - b.y) >= (a.h + b.h) / 2;
      expect(isApart).toBe(true);
    }
  }
}

describe('an alignment', () => {
  it('pairs rows of one type, each with at most one', () => {
    fc.assert(
      fc.property(graphs, graphs, fc.boolean(), (a, b, hasSharedOrigins) => {
        const twins = alignRows(a, b, { hasSharedOrigins });
        for (const side of [0, 1] as const) {
          expect(new Set(twins.map((pair) => keyOf(pair[side]))).size).toBe(twins.length);
        }
        for (const [from, to] of twins) {
          expect(a.cards[from.card]?.[from.row]?.type).toBe(b.cards[to.card]?.[to.row]?.type);
        }
      }),
      RUNS,
    );
  });

  it('of a graph with itself pairs each row that has an origin of its own with itself', () => {
    fc.assert(
      fc.property(graphs, ({ cards, links }) => {
        let next = 0;
        const named = cards.map((rows) => rows.map(({ op, type }) => rowOf(op, type, [next++])));
        const twins = alignRows(
          { cards: named, links },
          { cards: named, links },
          { hasSharedOrigins: true },
        );
        expect(twins).toHaveLength(next);
        for (const [from, to] of twins) expect(from).toEqual(to);
      }),
      RUNS,
    );
  });
});

describe('aligned drawings', () => {
  it('have edges that lead down, and cards apart, in one size', () => {
    fc.assert(
      fc.property(graphs, graphs, fc.boolean(), (first, second, hasSharedOrigins) => {
        const twins = alignRows(first, second, { hasSharedOrigins });
        const { a, b } = alignedDrawings(first, second, twins, ['add', 'exp', 'tanh']);
        expect([a.width, a.height]).toEqual([b.width, b.height]);
        checkDrawing(a);
        checkDrawing(b);
      }),
      RUNS,
    );
  });

  it('are drawn for any pairs, also in opposite orders', () => {
    fc.assert(
      fc.property(graphs, graphs, fc.array(fc.nat(13)), (first, second, order) => {
        const free = new Set(second.cards.keys());
        const twins = first.cards.flatMap((_, card) => {
          const wanted = order[card] ?? card;
          if (!free.delete(wanted)) return [];
          return [
            [
              { card, row: 0 },
              { card: wanted, row: 0 },
            ] as const,
          ];
        });
        const { a, b } = alignedDrawings(first, second, twins, ['add', 'exp', 'tanh']);
        checkDrawing(a);
        checkDrawing(b);
      }),
      RUNS,
    );
  });
});
