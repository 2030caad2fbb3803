import { orThrow } from '@baton/base';
import type { Data, HostValue } from '@baton/executor';
import { prepare, toData } from '@baton/executor';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { list, valueFor, withPrelude } from './support.ts';

/** A list in the text of the language. */
const text = (items: ReadonlyArray<string | number>): string =>
  items.reduceRight<string>((rest, item) => `Cons(${item}, ${rest})`, 'Nil');

const nat = (n: number): string => `${'succ('.repeat(n)}zero${')'.repeat(n)}`;

const natData = (n: number): Data => {
  let data: Data = { constructor: 'zero', fields: [] };
  for (let i = 0; i < n; i++) data = { constructor: 'succ', fields: [data] };
  return data;
};

describe('functions on lists', () => {
  it.each([
    ['@nth', '@nth(Cons(5, Cons(6, Cons(7, Nil))), 1)', 6],
    ['@update', '@update(Cons(5, Cons(6, Cons(7, Nil))), 2, 9)', list([5, 6, 9])],
    ['@concat', '@concat(Cons(1, Nil), Cons(2, Cons(3, Nil)))', list([1, 2, 3])],
    ['@rev', '@rev(Cons(1, Cons(2, Cons(3, Nil))))', list([3, 2, 1])],
    ['@filter', '@filter(fn (%i: int32) { %i > 1 }, Cons(1, Cons(2, Cons(3, Nil))))', list([2, 3])],
    ['@hd', '@hd(Cons(4, Cons(5, Nil)))', 4],
    ['@tl', '@tl(Cons(4, Cons(5, Nil)))', list([5])],
  ])('such as %s (C142)', (_, expr, expected) => {
    expect(valueFor(expr)).toEqual(expected);
  });

  it('zip to the length of the shorter (C143)', () => {
    expect(valueFor(`@zip(${text([1, 2, 3])}, ${text([4, 5])})`)).toEqual(
      list([
        [1, 4],
        [2, 5],
      ]),
    );
  });

  it('accumulate from the left, reversed, and from the right (C145)', () => {
    const f = 'fn (%acc: int32, %x: int32) { (%acc + %x, %acc) }';
    expect(valueFor(`@map_accuml(${f}, 0, ${text([1, 2, 3])})`)).toEqual([6, list([3, 1, 0])]);
    expect(valueFor(`@map_accumr(${f}, 0, ${text([1, 2, 3])})`)).toEqual([6, list([5, 3, 0])]);
  });

  it('unfold forwards and backwards', () => {
    const f = 'fn (%n: int32) { if (%n == 0) { None } else { Some((%n - 1, %n * %n)) } }';
    expect(valueFor(`@unfoldr(${f}, 4)`)).toEqual(list([16, 9, 4, 1]));
    expect(valueFor(`@unfoldl(${f}, 4)`)).toEqual(list([1, 4, 9, 16]));
  });

  it('take functions apart and put them together', () => {
    const [inc, double] = ['fn (%x: int32) { %x + 1 }', 'fn (%x: int32) { %x * 2 }'];
    expect(valueFor(`@compose(${inc}, ${double})(5)`)).toBe(11);
    expect(valueFor('@flip(subtract)(1, 10)')).toBe(9);
    expect(valueFor(`@iterate(${double}, 5)(1)`)).toBe(32);
    expect(valueFor(`@iterate(${double}, 0)(7)`)).toBe(7);
    expect(valueFor('@id(True)')).toBe(true);
  });
});

describe('trees', () => {
  it('are counted and mapped (C146)', () => {
    const tree = `Rose(1, ${text(['Rose(2, Nil)', `Rose(3, ${text(['Rose(4, Nil)'])})`])})`;
    const rose = (value: number, ...children: ReadonlyArray<Data>): Data => ({
      constructor: 'Rose',
      fields: [value, list(children)],
    });
    expect(valueFor(`@size(${tree})`)).toBe(4);
    expect(valueFor(`@tmap(fn (%x: int32) { %x + %x }, ${tree})`)).toEqual(
      rose(2, rose(4), rose(6, rose(8))),
    );
  });
});

describe('natural numbers', () => {
  it('are added, doubled and iterated with (C148)', () => {
    expect(valueFor(`@nat_add(${nat(1)}, ${nat(1)})`)).toEqual(natData(2));
    expect(valueFor(`@nat_double(${nat(3)})`)).toEqual(natData(6));
    expect(valueFor(`@nat_iterate(@nat_double, ${nat(3)})(${nat(1)})`)).toEqual(natData(8));
  });

  it('count into lists', () => {
    expect(valueFor(`@nat_nth(${text([5, 6, 7])}, ${nat(2)})`)).toBe(7);
    expect(valueFor(`@nat_update(${text([5, 6, 7])}, ${nat(0)}, 9)`)).toEqual(list([9, 6, 7]));
  });
});

describe('the prelude and JavaScript', () => {
  const m = withPrelude(`
    def @by(%x: int32, %y: int32) -> int32 { %x * 31 + %y }
    def @halves(%n: int32) -> Option[(int32, int32)] {
      if (%n <= 0) { None } else { Some((%n / 2, %n)) } }
    def @t_map(%xs: List[int32]) { @map(fn (%x: int32) { %x * 3 + 1 }, %xs) }
    def @t_foldl(%xs: List[int32]) { @foldl(@by, 7, %xs) }
    def @t_foldr(%xs: List[int32]) { @foldr(@by, 7, %xs) }
    def @t_foldr1(%xs: List[int32]) { @foldr1(@by, Cons(1, %xs)) }
    def @t_sum(%xs: List[int32]) { @sum(%xs) }
    def @t_length(%xs: List[int32]) { @length(%xs) }
    def @t_rev(%xs: List[int32]) { @rev(%xs) }
    def @t_filter(%xs: List[int32]) { @filter(fn (%x: int32) { mod(%x, 3) == 0 }, %xs) }
    def @t_concat(%xs: List[int32], %ys: List[int32]) { @concat(%xs, %ys) }
    def @t_zip(%xs: List[int32], %ys: List[int32]) { @zip(%xs, %ys) }
    def @t_nth(%xs: List[int32], %n: int32) { @nth(%xs, %n) }
    def @t_update(%xs: List[int32], %n: int32) { @update(%xs, %n, 99) }
    def @t_accuml(%xs: List[int32]) {
      @map_accuml(fn (%a: int32, %x: int32) { (%a + %x, %a * %x) }, 1, %xs) }
    def @t_accumr(%xs: List[int32]) {
      @map_accumr(fn (%a: int32, %x: int32) { (%a + %x, %a * %x) }, 1, %xs) }
    def @t_unfoldr(%n: int32) { @unfoldr(@halves, %n) }
    def @t_unfoldl(%n: int32) { @unfoldl(@halves, %n) }
    def @t_tree(%xs: List[int32]) {
      @size(@tmap(fn (%x: int32) { (%x, %x) },
        Rose(0, @map(fn (%x: int32) { Rose(%x, Cons(Rose(1, Nil), Nil)) }, %xs)))) }
    def @t_iterate(%n: int32) { @iterate(fn (%x: int32) { %x + %x + 1 }, %n)(0) }`);
  const program = orThrow(prepare(m));
  const call = (name: string, ...args: ReadonlyArray<HostValue>): Data =>
    toData(orThrow(program.run(args, { entry: `t_${name}` })));
  const by = (x: number, y: number): number => (Math.imul(x, 31) + y) | 0;
  const times = (a: number, x: number): number => Math.imul(a, x);

  const ints = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 40 });
  const check = (property: fc.IRawProperty<unknown>): void => {
    fc.assert(property, { seed: 7_301, numRuns: 60 });
  };

  it('agree on maps, folds and filters of random lists', () => {
    check(
      fc.property(ints, (xs) => {
        expect(call('map', xs)).toEqual(list(xs.map((x) => (times(x, 3) + 1) | 0)));
        expect(call('foldl', xs)).toBe(xs.reduce(by, 7));
        expect(call('foldr', xs)).toBe(xs.reduceRight((acc, x) => by(x, acc), 7));
        const first = [1, ...xs];
        const last = first[first.length - 1] as number;
        expect(call('foldr1', xs)).toBe(
          first.slice(0, -1).reduceRight((acc, x) => by(x, acc), last),
        );
        expect(call('sum', xs)).toBe(xs.reduce((a, x) => (a + x) | 0, 0));
        expect(call('length', xs)).toBe(xs.length);
        expect(call('rev', xs)).toEqual(list([...xs].reverse()));
        expect(call('filter', xs)).toEqual(list(xs.filter((x) => x % 3 === 0)));
        expect(call('tree', xs)).toBe(1 + 2 * xs.length);
      }),
    );
  });

  it('agree on functions of two lists, or a list and a place', () => {
    check(
      fc.property(ints, ints, fc.nat(), (xs, ys, n) => {
        expect(call('concat', xs, ys)).toEqual(list([...xs, ...ys]));
        const zipped = xs.slice(0, ys.length).map((x, i) => [x, ys[i] as number]);
        expect(call('zip', xs, ys)).toEqual(list(zipped));
        if (xs.length === 0) return;
        const at = n % xs.length;
        expect(call('nth', xs, at)).toBe(xs[at]);
        expect(call('update', xs, at)).toEqual(list(xs.map((x, i) => (i === at ? 99 : x))));
      }),
    );
  });

  it('agree on accumulating and unfolding functions', () => {
    check(
      fc.property(ints, fc.integer({ min: 0, max: 1_000_000 }), (xs, n) => {
        const left: number[] = [];
        const sumLeft = xs.reduce((a, x) => {
          left.unshift(times(a, x));
          return (a + x) | 0;
        }, 1);
        expect(call('accuml', xs)).toEqual([sumLeft, list(left)]);
        const right: number[] = [];
        const sumRight = xs.reduceRight((a, x) => {
          right.unshift(times(a, x));
          return (a + x) | 0;
        }, 1);
        expect(call('accumr', xs)).toEqual([sumRight, list(right)]);
        const halves: number[] = [];
        for (let k = n; k > 0; k = Math.trunc(k / 2)) halves.push(k);
        expect(call('unfoldr', n)).toEqual(list(halves));
        expect(call('unfoldl', n)).toEqual(list([...halves].reverse()));
        expect(call('iterate', n % 31)).toBe((2 ** (n % 31) - 1) | 0);
      }),
    );
  });
});
