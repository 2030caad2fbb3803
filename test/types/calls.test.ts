/** Calls of polymorphic functions, whose arguments determine the type parameters. */
import { printModule } from '@baton/text';
import { describe, expect, it, test } from 'vitest';
import { entryOf, messages, moduleOf, outcome, typed } from './support.ts';

const PAIR = 'let %f = fn [A](%a: A, %b: A) -> (A, A) { (%a, %b) };';
const INNER = 'let %f = fn [A](%p: (A, ref(A))) -> A { %p.0 };';
const APPLY = 'let %f = fn [A, B](%g: fn (A) -> B, %x: A) -> B { %g(%x) };';

describe('a function that is one of two', () => {
  test.each<[title: string, text: string, expected: string]>([
    [
      'is as general as both are',
      'fn (%c: bool) { let %f = if (%c) { exp } else { negative }; (%f(1f), %f(2f64)) }',
      'fn (bool) -> (float32, float64)',
    ],
    [
      'is called where both can be',
      'fn (%c: bool, %x: float32) { (if (%c) { exp } else { negative })(%x) }',
      'fn (bool, float32) -> float32',
    ],
    [
      'is not called where one cannot be',
      'fn (%c: bool, %x: int32) {\n(if (%c) { exp } else { negative })(%x) }',
      'OP_DTYPE_DOMAIN 2:1',
    ],
    [
      'is the function itself if both are',
      'fn (%c: bool) { let %f = if (%c) { exp } else { exp }; (%f(1f), %f(2f64)) }',
      'fn (bool) -> (float32, float64)',
    ],
    [
      'is one of three',
      'fn (%n: int32, %x: float32) { (if (%n == 0) { exp } else { if (%n == 1) { log } else { negative } })(%x) }',
      'fn (int32, float32) -> float32',
    ],
    [
      'has as many parameters as the other',
      'fn (%c: bool) {\nif (%c) { exp } else { add } }',
      'TYPE_MISMATCH 2:24',
    ],
  ])('%s', (_, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });
});

it('a function that is one of two has the type that is printed', () => {
  const text = 'let %f = if (True) { exp } else { negative }; %f(1f)';
  const printed = printModule(typed(entryOf(text)));
  expect(printed).toContain('where exp(');
  expect(printModule(typed(moduleOf(printed.slice(printed.indexOf('\n')))))).toBe(printed);
});

describe('a type parameter', () => {
  test.each<[title: string, text: string, expected: string]>([
    [
      'stands for the type of the first argument that meets it, on which the others are measured',
      `fn (%x: Tensor[(?), int8], %y: Tensor[(3), int8]) { ${PAIR} (%f(%x, %y), %f(%y, %x)) }`,
      'fn (Tensor[(?), int8], Tensor[(3), int8]) -> ((Tensor[(?), int8], Tensor[(?), int8]), (Tensor[(3), int8], Tensor[(3), int8]))',
    ],
    ['links literals', `${PAIR} %f(1, 2i64)`, 'fn () -> (int64, int64)'],
    ['links literals of two classes', `${PAIR} %f(1, 2.5)`, 'fn () -> (float32, float32)'],
    ['refuses what differs', `${PAIR}\n%f(1i32, 2f)`, 'TYPE_MISMATCH 2:10'],
    ['refuses a literal that does not fit', `${PAIR}\n%f(300, 2i8)`, 'TYPE_LITERAL_RANGE 2:4'],
    ['is met inside tuples and references', `${INNER} %f((1, ref(2i8)))`, 'fn () -> int8'],
    ['is met in tuples of one length alone', `${INNER}\n%f((1,))`, 'TYPE_MISMATCH 2:4'],
    ['is met in functions', `${APPLY} %f(fn (%y: int8) -> bool { True }, 1)`, 'fn () -> bool'],
    [
      'is met in functions that are general themselves',
      `${APPLY} let %id = fn (%y) { %y }; %f(%id, 1i8)`,
      'fn () -> int8',
    ],
    ['may be written', `${PAIR} %f[int8](1, 2)`, 'fn () -> (int8, int8)'],
    [
      'that no argument meets is found from the surroundings',
      'let %n = fn [A](%x: int8) -> ref(fn (A) -> A) { ref(fn (%a: A) -> A { %a }) }; let %r: ref(fn (bool) -> bool) = %n(1i8); %r',
      'fn () -> ref(fn (bool) -> bool)',
    ],
    [
      'of a function that has holes of its surroundings',
      'fn (%x) { let %k = fn (%y) { (%x, %y) }; (%k(1i8), %k(True), %x + 1f) }',
      '(fn [t0, t1](t0) -> ((t0, int8), (t0, bool), t1) where Broadcast(t0, float32, t1))',
    ],
  ])('%s', (_, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });

  it('is reported with the types of the earlier arguments', () => {
    const text = `${PAIR} %f((1i32, 2f), (1i32, 2i8))`;
    expect(messages(entryOf(text))).toEqual([
      'expected argument 1 of type (int32, float32), found (int32, int8)',
    ]);
  });

  it('of a constructor is met by the first cell that says it', () => {
    const lists = 'type L[A] { Cons(A, L[A]), Nil }';
    const cells = 'Cons(1, Cons(2, Cons(3i64, Nil())))';
    expect(outcome(moduleOf(`${lists} def @main() { ${cells} }`))).toBe('fn () -> L[int64]');
    const wrong = 'Cons(1, Cons((), Nil()))';
    expect(outcome(moduleOf(`${lists} def @main() { ${wrong} }`))).toContain('TYPE_MISMATCH');
  });
});
