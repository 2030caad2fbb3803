/**
 * The worked examples of [types §6.4](https://batonjs.github.io/baton/spec/types#6.4) and
 * [§10.1](https://batonjs.github.io/baton/spec/types#10.1): literals with generalization, named
 * dimensions.
 */
import { type Expr, postOrderExprs, typeOf } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it, test } from 'vitest';
import { entryOf, messages, moduleOf, outcome, typed } from './support.ts';

/** The programs of an expression, as texts of a module. */
const MULADD = 'def @muladd(%x, %y, %z) { %x * %y + %z } def @g(%x: float32) { @muladd(%x, 1, 2) }';
const POW =
  'def @pow(%x, %n) { if (%n == 0) { 1 } else { %x * @pow(%x, %n - 1) } } ' +
  'def @ints() { @pow(2, 3) } ';

describe('types §6.4', () => {
  test.each<[string, string, string, string]>([
    [
      'example 1: a literal keeps its default in another global',
      'f',
      'def @f(%x) { %x + 1 }',
      '(fn [t0, t1](t0) -> t1 where Broadcast(t0, int32, t1))',
    ],
    [
      'example 1: a call with an int',
      'g',
      'def @f(%x) { %x + 1 } def @g() { @f(4) }',
      'fn () -> int32',
    ],
    [
      'example 1: a call with a float is wrong at the call',
      'g',
      'def @f(%x) { %x + 1 } def @g() { @f(4f) }',
      'OP_DTYPE_MISMATCH 2:34',
    ],
    [
      'example 7: constraints of a global in order',
      'muladd',
      MULADD,
      '(fn [t0, t1, t2, t3, t4](t0, t1, t2) -> t3 where Broadcast(t0, t1, t4), Broadcast(t4, t2, t3))',
    ],
    [
      'example 7: literals take the dtype that a call demands',
      'g',
      MULADD,
      'fn (float32) -> float32',
    ],
    [
      'example 8: recursion is monomorphic, literals default before generalization',
      'pow',
      POW,
      '(fn [t0, t1](t0, t1) -> int32 where BroadcastComp(t1, int32, bool), Broadcast(t1, int32, t1), Broadcast(t0, int32, int32))',
    ],
    ['example 8: a call with ints', 'ints', POW, 'fn () -> int32'],
    [
      'example 8: a call with a float is wrong at the call',
      'bad',
      `${POW}def @bad() { @pow(2f, 3) }`,
      'OP_DTYPE_MISMATCH 2:112',
    ],
  ])('%s', (_title, name, text, expected) => {
    expect(outcome(moduleOf(text), name)).toBe(expected);
  });

  test.each<[string, string, string]>([
    [
      'example 2: the literals of a local function are fixed by its first use',
      'let %inc = fn (%x) { %x + 1 }; (%inc(2f), %inc(3))',
      'fn () -> (float32, float32)',
    ],
    [
      'example 3: a use that differs is wrong at the call',
      'let %inc = fn (%x) { %x + 1 }; (%inc(2f), %inc(3i64))',
      'OP_DTYPE_MISMATCH 1:43',
    ],
    [
      'example 4: an identity at three types',
      'let %id = fn (%x) { %x }; (%id(1), %id(2.5), %id(()))',
      'fn () -> (int32, float32, ())',
    ],
    [
      'example 5: what is no function has one type',
      'fn (%x: float32) { let %c = 1; (%x + %c, %c) }',
      'fn (float32) -> (float32, float32)',
    ],
    [
      'example 5: so another dtype is wrong',
      'fn (%x: float32) { let %c = 1; (%x + %c, %c + 2i64) }',
      'OP_DTYPE_MISMATCH 1:42',
    ],
    ['example 6: an int literal becomes a float', '1 + 2.5', 'fn () -> float32'],
    ['example 6: a large literal', '1 + 2147483648', 'fn () -> int64'],
    ['example 6: a suffix decides', '1 + 2i16', 'fn () -> int16'],
    ['example 6: a float literal is no int', '1.5 + 1i32', 'OP_DTYPE_MISMATCH 1:1'],
    ['example 6: 300 is no uint8', '300 + 1u8', 'TYPE_LITERAL_RANGE 1:1'],
  ])('%s', (_title, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });

  it('example 2: writes the inferred types into the program', () => {
    const text = 'let %inc = fn (%x) { %x + 1 }; (%inc(2f), %inc(3))';
    const printed = printModule(typed(entryOf(text)), { showTypes: false });
    expect(printed).toContain(
      'fn [t0, t1](%x: t0) -> t1 where Broadcast(t0, float32, t1) {\n    add(%x, 1f)',
    );
    expect(printed).toContain('%inc(3f)');
  });
});

describe('types §10.1', () => {
  const F = 'let %f = fn (%x: Tensor[(n, 2 * m), float32]) { %x };';
  const SUM =
    'let %f = fn (%x: Tensor[(n + m), float32], %y: Tensor[(n), float32], ' +
    '%z: Tensor[(m), float32]) { %x };';
  test.each<[string, string, string]>([
    [
      'undeclared names become parameters in order of first mention',
      'fn (%x: Tensor[(n, 2 * m), float32]) -> Tensor[(n, 2 * m), float32] { %x }',
      'fn [n: ShapeVar, m: ShapeVar](Tensor[(n, 2 * m), float32]) -> Tensor[(n, 2 * m), float32]',
    ],
    [
      'a name that a function type mentions first is the same in what follows',
      'fn (%f: fn (Tensor[(n), float32]) -> float32, %x: Tensor[(n), float32]) { %f(%x) }',
      'fn [n: ShapeVar](fn (Tensor[(n), float32]) -> float32, Tensor[(n), float32]) -> float32',
    ],
    [
      'after those that are declared',
      'fn [m: ShapeVar](%x: Tensor[(n, m), float32]) { %x }',
      'fn [m: ShapeVar, n: ShapeVar](Tensor[(n, m), float32]) -> Tensor[(n, m), float32]',
    ],
    [
      'arithmetic is normalised',
      'fn (%x: Tensor[(2 * m), float32]) -> Tensor[(m + m), float32] { %x }',
      'fn [m: ShapeVar](Tensor[(2 * m), float32]) -> Tensor[(2 * m), float32]',
    ],
    [
      'a sum of terms has no order',
      'fn (%x: Tensor[(n + 2 * m), float32]) -> Tensor[(m + n + m), float32] { %x }',
      'fn [n: ShapeVar, m: ShapeVar](Tensor[(n + 2 * m), float32]) -> Tensor[(2 * m + n), float32]',
    ],
    [
      'exact division cancels',
      'fn (%x: Tensor[(4 * m / 2), float32]) -> Tensor[(m * 2), float32] { %x }',
      'fn [m: ShapeVar](Tensor[(2 * m), float32]) -> Tensor[(2 * m), float32]',
    ],
    [
      'also when it is multiplied back',
      'fn (%x: Tensor[(n / 2), float32]) -> Tensor[(n), float32] { concatenate((%x, %x), axis=0) }',
      'fn [n: ShapeVar](Tensor[(n / 2), float32]) -> Tensor[(n), float32]',
    ],
    [
      'relations compute: rows of n and m',
      'fn (%x: Tensor[(n, 4), float32], %y: Tensor[(m, 4), float32]) { concatenate((%x, %y), axis=0) }',
      'fn [n: ShapeVar, m: ShapeVar](Tensor[(n, 4), float32], Tensor[(m, 4), float32]) -> Tensor[(n + m, 4), float32]',
    ],
    [
      'relations compute: a product',
      'fn (%x: Tensor[(n, 4), float32]) { reshape(%x, newshape=[-1]) }',
      'fn [n: ShapeVar](Tensor[(n, 4), float32]) -> Tensor[(4 * n), float32]',
    ],
    [
      'a window that is not linear gives ?',
      'fn (%x: Tensor[(1, 1, n, n), float32]) { nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]) }',
      'fn [n: ShapeVar](Tensor[(1, 1, n, n), float32]) -> Tensor[(1, 1, ?, ?), float32]',
    ],
    [
      'a call instantiates: n = 3, m = 4',
      `${F} fn (%y: Tensor[(3, 8), float32]) { %f(%y) }`,
      'fn () -> fn (Tensor[(3, 8), float32]) -> Tensor[(3, 8), float32]',
    ],
    [
      'a call that cannot: 7 is no 2 * m',
      `${F} fn (%y: Tensor[(3, 7), float32]) { %f(%y) }`,
      'TYPE_MISMATCH 1:93',
    ],
    [
      'a rigid dimension equals no number',
      'fn (%x: Tensor[(n), float32]) -> Tensor[(3), float32] { %x }',
      'TYPE_MISMATCH 1:57',
    ],
    [
      'nor another name',
      'fn (%x: Tensor[(n), float32], %y: Tensor[(m), float32]) { %x + %y }',
      'OP_BROADCAST 1:59',
    ],
    [
      'names of the caller stand for names of the callee',
      `${F} fn (%y: Tensor[(k, 4 * k), float32]) { %f(%y) }`,
      'fn [t0: ShapeVar]() -> fn (Tensor[(t0, 4 * t0), float32]) -> Tensor[(t0, 4 * t0), float32]',
    ],
    [
      '? against a name gives ?, and is checked when the program runs',
      'fn (%c: bool, %x: Tensor[(n), float32], %y: Tensor[(?), float32]) { if (%c) { %x } else { %y } }',
      'fn [n: ShapeVar](bool, Tensor[(n), float32], Tensor[(?), float32]) -> Tensor[(?), float32]',
    ],
    [
      'names inside an expression are solved by what comes later',
      `${SUM} fn (%a: Tensor[(7), float32], %b: Tensor[(3), float32], %c: Tensor[(4), float32]) { %f(%a, %b, %c) }`,
      'fn () -> fn (Tensor[(7), float32], Tensor[(3), float32], Tensor[(4), float32]) -> Tensor[(7), float32]',
    ],
    [
      'and compared',
      `${SUM} fn (%a: Tensor[(7), float32], %b: Tensor[(3), float32], %c: Tensor[(5), float32]) { %f(%a, %b, %c) }`,
      'TYPE_DIMENSION 1:191',
    ],
  ])('%s', (_title, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });

  it('says which dimension differs', () => {
    const text = `${F} fn (%y: Tensor[(3, 7), float32]) { %f(%y) }`;
    expect(messages(entryOf(text)).join()).toContain('expected argument 0');
  });
});

it('a graph binding has one type wherever it is used', () => {
  const m = typed(
    entryOf('fn (%x: float32) { %1 = log(%x); let %f = fn (%y) { %y + %1 }; (%f(1), %1) }'),
  );
  const nodes: ReadonlyArray<Expr> = postOrderExprs([...m.functions.values()]);
  expect(nodes.every((node) => node._tag === 'Op' || typeOf(m, node) !== undefined)).toBe(true);
});
