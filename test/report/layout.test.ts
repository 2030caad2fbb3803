import type { Drawing, Row } from '@baton/drawing';
import { drawingOf, MAX_DRAWN_CARDS } from '@baton/drawing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../packages/drawing/src/columns.ts';
import { amount } from '../tier.ts';

const SEED = 20261121;

const row: Row = {
  kind: 0,
  call: true,
  places: [],
  op: 0,
  note: 0,
  type: 0,
  inputs: 0,
  attrs: 0,
};

type Link = readonly [number, number];

/** Cards with these numbers of rows, and the links between them. */
const draw = (rows: ReadonlyArray<number>, links: ReadonlyArray<Link>): Drawing =>
  drawingOf({ cards: rows.map((count) => Array<Row>(count).fill(row)), links }, ['add']);

const chain = (count: number): ReadonlyArray<Link> =>
  Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const);

/** Graphs whose links go from lower numbers to higher ones. */
const graphs = fc.integer({ min: 1, max: 24 }).chain((count) =>
  fc.record({
    rows: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: count, maxLength: count }),
    links: fc
      .uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
        selector: ([a, b]) => a * count + b,
        maxLength: 40,
      })
      .map((pairs) => pairs.filter(([from, to]) => from < to)),
  }),
);

describe('a drawing', () => {
  it('keeps cards apart and inside, and leads edges down from card to card', () => {
    fc.assert(
      fc.property(graphs, ({ rows, links }) => {
        const { cards, edges, width, height } = draw(rows, links);
        cards.forEach((a, i) => {
          expect(a.x - a.w / 2).toBeGreaterThanOrEqual(0);
          expect(a.x + a.w / 2).toBeLessThanOrEqual(width);
          expect(a.y - a.h / 2).toBeGreaterThanOrEqual(0);
          expect(a.y + a.h / 2).toBeLessThanOrEqual(height);
          for (const b of cards.slice(i + 1)) {
            const apart =
              Math.abs(a.x - b.x) >= (a.w + b.w) / 2 || Math.abs(a.y - b.y) >= (a.h + b.h) / 2;
            expect(apart).toBe(true);
          }
        });
        expect(edges.map(({ from, to }) => [from, to])).toEqual(links);
        for (const { from, to, points } of edges) {
          const [start, end] = [cards[from], cards[to]];
          if (start === undefined || end === undefined) throw new Error('an edge without a card');
          expect(points.slice(0, 2)).toEqual([start.x, start.y + start.h / 2]);
          expect(points.slice(-2)).toEqual([end.x, end.y - end.h / 2]);
          for (let i = 3; i < points.length; i += 2) {
            expect(points[i]).toBeGreaterThanOrEqual(points[i - 2] ?? 0);
          }
        }
      }),
      { seed: SEED, numRuns: amount(300, { quick: 60 }) },
    );
  });

  it('leads no edge through a card', () => {
    fc.assert(
      fc.property(graphs, ({ rows, links }) => {
        const { cards, edges } = draw(rows, links);
        for (const { from, to, points } of edges) {
          for (let i = 2; i < points.length; i += 2) {
            const [x, top, nextX, bottom] = points.slice(i - 2, i + 2) as [
              number,
              number,
              number,
              number,
            ];
            // Edges change columns only between the layers, where no card is.
            if (x !== nextX) continue;
            cards.forEach((card, at) => {
              if (at === from || at === to) return;
              const beside = Math.abs(card.x - x) >= card.w / 2;
              const passed = card.y - card.h / 2 >= bottom || card.y + card.h / 2 <= top;
              expect(beside || passed).toBe(true);
            });
          }
        }
      }),
      { seed: SEED, numRuns: amount(300, { quick: 60 }) },
    );
  });

  it('draws a chain as a straight line', () => {
    const { cards } = draw([1, 3, 1, 2], chain(4));
    expect(new Set(cards.map((card) => card.x)).size).toBe(1);
  });

  it('puts cards fed only by constants beside their user, and keeps the flow straight', () => {
    // 0 → 1 → 2 → 3, and 4's like 'expand_dims(constant)' feeds 3.
    const { cards } = draw(
      [1, 1, 1, 1, 1],
      [
        [0, 1],
        [1, 2],
        [2, 4],
        [3, 4],
      ],
    );
    expect(cards[3]?.y).toBe(cards[2]?.y);
    expect(Math.abs((cards[4]?.x ?? 0) - (cards[2]?.x ?? 0))).toBeLessThanOrEqual(1);
  });

  it('draws as many cards as it may, as deep as they may be, and as many edges from one', () => {
    const count = MAX_DRAWN_CARDS;
    expect(draw(Array(count).fill(1), chain(count)).cards.length).toBe(count);
    const fan = [
      ...chain(count),
      ...Array.from({ length: count - 2 }, (_, i) => [0, i + 2] as const),
    ];
    expect(draw(Array(count).fill(1), fan).edges.length).toBe(fan.length);
    const ladder = chain(count).flatMap(([a, b]) => [
      [a, b] as const,
      [a, Math.min(count - 1, b + 40)] as const,
    ]);
    expect(draw(Array(count).fill(1), ladder).cards.length).toBe(count);
  });

  it('draws nothing of nothing', () => {
    expect(draw([], [])).toEqual({ calls: 0, width: 0, height: 0, cards: [], edges: [] });
  });

  it('says of a larger graph that it is not drawn', () => {
    const { omitted, cards, calls } = draw(Array(MAX_DRAWN_CARDS + 1).fill(1), []);
    expect(omitted).toBe('3001 boxes; more than 3000 are not drawn');
    expect([cards.length, calls]).toEqual([0, 3001]);
  });
});

describe('nearest places', () => {
  it('keep their distances, and move no more than they must', () => {
    const wanted = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(wanted, (wants) => {
        const places = nearest(
          wants,
          wants.map(() => 1),
          wants.map((_, i) => (i === 0 ? 0 : 10)),
        );
        for (let i = 1; i < places.length; i++) {
          expect((places[i] ?? 0) - (places[i - 1] ?? 0)).toBeGreaterThan(10 - 1e-9);
        }
        const free = wants.every((w, i) => i === 0 || w - (wants[i - 1] ?? 0) >= 10);
        if (free) expect(places).toEqual(wants);
        const mean = (all: ReadonlyArray<number>) => all.reduce((a, b) => a + b, 0) / all.length;
        expect(mean(places)).toBeCloseTo(mean(wants), 9);
      }),
      { seed: SEED, numRuns: amount(300, { quick: 60 }) },
    );
  });

  it('give way by weight', () => {
    expect(nearest([0, 0], [1, 3], [0, 8])).toEqual([-6, 2]);
  });
});
