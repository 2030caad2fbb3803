import { describe, expect, it } from 'vitest';
import { codes, evaluate, list, messages, parse, run, valueFor, withPrelude } from './support.ts';

const none = { constructor: 'None', fields: [] };
const some = (value: number) => ({ constructor: 'Some', fields: [value] });

describe('functions', () => {
  it('closures keep the values of where they were made (C133)', () => {
    const text = `let %g = fn () { let %x = 0f; fn (%y: float32) { %y * %x } };
      let %f = %g(); let %x = 1f; %f(%x)`;
    expect(valueFor(text)).toBe(0);
  });

  it.each([
    [5, 120],
    [10, 3628800],
  ])('call themselves by the name of their let (C134): %i! = %i', (n, expected) => {
    const text = `let %fact = fn (%n: int32) -> int32 {
      if (%n == 0) { 1 } else { %n * %fact(%n - 1) } }; %fact(${n})`;
    expect(valueFor(text)).toBe(expected);
  });

  it.each([
    ['fn (%x: int32) { %x * 2 }(21)', 42],
    ['let %curried = fn (%x: int32) { fn (%y: int32) { %x - %y } }; %curried(10)(3)', 7],
    ['let %id = fn [A](%x: A) -> A { %x }; (%id(3), %id(True), %id(%id)(4.5f))', [3, true, 4.5]],
    ['let %apply = fn (%f: fn (int32, int32) -> int32) { %f(20, 22) }; %apply(add)', 42],
    ['let %wrap = fn (%f: fn (int32) -> Option[int32]) { %f(4) }; %wrap(Some)', some(4)],
    ['@map(negative, Cons(1, Cons(2, Nil)))', list([-1, -2])],
    ['@map(Some, Cons(1, Nil))', list([some(1)])],
    ['@foldr(Cons, Nil, Cons(1, Cons(2, Nil)))', list([1, 2])],
    ['if (True) { fn (%x: int32) { %x } } else { fn (%x: int32) { %x + 1 } }(1)', 1],
    ['(fn () { 1 }, 2).0()', 1],
    ['let %f = if (True) { negative } else { exp }; %f(4f)', -4],
    ['let %twice = fn [A](%f: fn (A) -> A, %x: A) { %f(%f(%x)) }; %twice(negative, 3)', 3],
    ['let %f = fn (%x: int32, Primitive=1) { %x + %x }; %f(4)', 8],
  ])('are values: %s', (text, expected) => {
    expect(valueFor(text)).toEqual(expected);
  });

  it('in a let without a function name the variable outside (C028)', () => {
    expect(valueFor('let %a = 1; let %b = 2 * %a; let %a = %a + %a; %a + %b')).toBe(4);
  });
});

describe('whole programs', () => {
  it('number their graph bindings anew in each definition (C025)', () => {
    const m = parse(`def @a(%x: int32) -> int32 { %0 = %x + 1; %0 * %0 }
      def @b(%x: int32) -> int32 { %0 = %x * 3; %0 + %0 }`);
    expect(run(m, [2], { entry: 'a' })).toBe(9);
    expect(run(m, [2], { entry: 'b' })).toBe(12);
  });

  it('call functions that are defined later (C046)', () => {
    const m = parse(`def @main(%x: int32) -> int32 { @later(%x) }
      def @later(%y: int32) -> int32 { %y + 1 }`);
    expect(run(m, [1])).toBe(2);
  });

  it('chain conditions (C049)', () => {
    const m = parse(`def @main(%m: int32, %n: int32) -> int32 {
      if (%m == 0) { %n + 1 } else if (%m > 0 && %n == 0) { @main(%m - 1, 1) }
      else { @main(%m - 1, @main(%m, %n - 1)) } }`);
    expect(run(m, [2, 3])).toBe(9);
  });

  it('subtract after an operand (C011)', () => {
    expect(valueFor('let %x = 5; %x -3')).toBe(2);
  });

  it.each([
    [
      'int64 and a shared product',
      `def @main(%n: int64) -> int64 {
         %0 = %n * 2i64; if (%n == 0i64) { %0 } else { %0 + @main(%n - 1i64) } }`,
      5n,
      30n,
    ],
    [
      'structural recursion on two numbers',
      `def @diff(%x: nat, %y: nat) -> nat {
         match (%x) { zero => %y, succ(%xp) => match (%y) { zero => %x, succ(%yp) => @diff(%yp, %xp) } } }
       def @make(%n: int32) -> nat { if (%n == 0) { zero } else { succ(@make(%n - 1)) } }
       def @count(%n: nat) -> int32 { match (%n) { zero => 0, succ(%m) => 1 + @count(%m) } }
       def @main(%n: int32) -> int32 { @count(@diff(@make(%n), @make(3))) }`,
      7,
      4,
    ],
    [
      'unknown conditions and effects',
      `def @main(%d: bool) -> int32 {
         let %r = ref(1);
         let %u = fn () { ref_write(%r, ref_read(%r) + ref_read(%r)) };
         let %e = if (%d) { %u() } else { %u() };
         ref_read(%r) }`,
      true,
      2,
    ],
    [
      'functions of any type',
      `def @f[T](%a: T) -> T { %a }
       def @main(%n: int32) -> List[(int32, bool)] {
         @map(@f, Cons((@f(%n), @f(True)), Nil)) }`,
      1,
      list([[1, true]]),
    ],
  ])('with %s', (_, text, argument, expected) => {
    expect(run(withPrelude(text), [argument])).toEqual(expected);
  });
});

describe('references', () => {
  it('give the last written value (C136)', () => {
    const text = `let %i = ref(1); let %a = ref_read(%i); let %u = ref_write(%i, 2);
      let %b = ref_read(%i); %a + %b`;
    expect(valueFor(text)).toBe(3);
  });

  it('are one cell under all their names (C137)', () => {
    expect(valueFor('let %r = ref(1); let %s = %r; ref_write(%s, 7); ref_read(%r)')).toBe(7);
  });

  it('see a let once, however often its variable is used (C139)', () => {
    const text = `let %r = ref(0);
      let %tick = fn () { ref_write(%r, ref_read(%r) + 1); ref_read(%r) };
      let %v = %tick(); %v + %v`;
    expect(valueFor(text)).toBe(2);
  });

  it('do not see the branch that is not taken (C140)', () => {
    const text = `let %r = ref(0);
      let %x = if (False) { ref_write(%r, 1); 10 } else { 20 }; (%x, ref_read(%r))`;
    expect(valueFor(text)).toEqual([20, 0]);
  });

  it.each([
    ['a write is ()', 'ref_write(ref(1), 2)', []],
    ['functions live in cells', 'let %f = ref(negative); ref_read(%f)(3)', -3],
    [
      'cells live in cells',
      'let %a = ref(1); let %b = ref(%a); ref_write(ref_read(%b), 5); ref_read(%a)',
      5,
    ],
    [
      'cells live in data',
      'let %a = ref(1); match (Some(%a)) { Some(%c) => ref_write(%c, 9), None => () }; ref_read(%a)',
      9,
    ],
    [
      'recursion through a cell',
      `let %f = ref(fn (%n: int32) -> int32 { %n });
       ref_write(%f, fn (%n: int32) -> int32 {
         if (%n == 0) { 0 } else { %n + ref_read(%f)(%n - 1) } });
       ref_read(%f)(100)`,
      5050,
    ],
  ])('%s', (_, text, expected) => {
    expect(valueFor(text)).toEqual(expected);
  });
});

describe('matches', () => {
  it('take the first clause that fits (C127)', () => {
    const m = withPrelude(
      'def @main(%x: List[int32]) -> int32 { match (%x) { _ => 0, Nil => 1 } }',
    );
    expect(run(m, [[]])).toBe(0);
  });

  it('take an atom without parentheses (C044)', () => {
    const m = parse(`type nat { zero, succ(nat) }
      def @main(%n: nat) -> nat { match %n { zero => zero, succ(%m) => %m, } }`);
    const [zero, succ] = [
      { constructor: 'zero', fields: [] },
      (n: unknown) => ({ constructor: 'succ', fields: [n] }),
    ];
    expect(run(m, [succ(succ(zero)) as never])).toEqual(succ(zero));
  });

  it('look into nested patterns (C149)', () => {
    const m = withPrelude(`def @main(%l: Option[List[int32]]) -> Option[int32] {
      match (%l) { Some(Cons(_, Cons(%s, _))) => Some(%s), _ => None } }`);
    const wrapped = (items: ReadonlyArray<number>) => ({ constructor: 'Some', fields: [items] });
    expect(run(m, [wrapped([1])])).toEqual(none);
    expect(run(m, [wrapped([1, 2])])).toEqual(some(2));
    expect(run(m, [wrapped([])])).toEqual(none);
    expect(run(m, [{ constructor: 'None' }])).toEqual(none);
  });

  it.each([
    ['match ((1, (2, 3))) { (%a, (_, %b)) => %a + %b }', 4],
    ['match (Some(4)) { %whole => %whole }', some(4)],
    [
      'match ((Some(1), Nil)) { (None, _) => 0, (Some(%a), Cons(%b, _)) => @id[int32](%b), (_, _) => 5 }',
      5,
    ],
    ['match (5) { %x: int32 => %x + 1 }', 6],
    ['match (Cons(1, Cons(2, Nil))) { Cons(%h, Cons(%g, _)) => %h * 10 + %g, _ => 0 }', 12],
    ['match? (Some(1)) { Some(%x) => %x }', 1],
    ['let %x = match (Some(3)) { Some(%y) => %y, None => 0 }; %x + %x', 6],
  ])('of %s', (text, expected) => {
    expect(valueFor(text)).toEqual(expected);
  });

  it('without a fitting clause are reported with their place and the value', () => {
    const m = withPrelude(`def @main(%x: List[int32]) -> int32 {
      match? (%x) { Cons(%h, Cons(_, _)) => %h } }`);
    const result = evaluate(m, [[7]]);
    expect(codes(result)).toEqual(['EXEC_NO_MATCH']);
    expect(messages(result)).toEqual(['did not find any match for Cons(7, Nil)']);
    expect(result._tag === 'Left' && result.left[0].span).toMatchObject({ line: 3, column: 7 });
  });

  it('find constructors of the same name in other types apart', () => {
    const m = parse(`type A { Same(int32), Other } type B { Thing(int32) }
      def @main() { match (Same(1)) { Other => 0, Same(%x) => match (Thing(%x)) { Thing(%y) => %y + 1 } } }`);
    expect(run(m)).toBe(2);
  });

  it('bind nothing by a clause that fails half-way', () => {
    const m = withPrelude(`def @main(%p: (int32, Option[int32])) -> int32 {
      match (%p) { (%a, Some(%b)) => %a + %b, (%a, None) => %a * 100 } }`);
    expect(run(m, [[3, { constructor: 'None' }]])).toBe(300);
    expect(run(m, [[3, { constructor: 'Some', fields: [4] }]])).toBe(7);
  });
});
