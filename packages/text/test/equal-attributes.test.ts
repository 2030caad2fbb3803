import {
  call,
  constant,
  type Expr,
  func,
  irModule,
  opRef,
  structuralEqual,
  structuralHash,
  variable,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { expr, mod } from './text-support.ts';

const x = variable('x');
const softmax = (attrs?: { axis: number }) => call(opRef('nn.softmax'), [x], { attrs });

describe('attributes of calls', () => {
  it('may be left out where they have their defaults, if the operators are known', () => {
    expect(structuralEqual(softmax(), softmax({ axis: -1 }), { ops })).toBe(true);
    expect(structuralEqual(softmax({ axis: -1 }), softmax(), { ops })).toBe(true);
    expect(structuralEqual(softmax(), softmax({ axis: 0 }), { ops })).toBe(false);
    expect(structuralEqual(softmax(), softmax({ axis: -1 }))).toBe(false);
    const withMain = (e: Expr) => irModule({ ops, functions: new Map([['main', func([x], e)]]) });
    const [bare, full] = [withMain(softmax()), withMain(softmax({ axis: -1 }))];
    expect(structuralEqual(bare, full)).toBe(true);
  });

  it('compare by value, in any order', () => {
    const f = expr('fn (%x, A=[1, 2], B="b") { %x }');
    expect(structuralEqual(f, expr('fn (%y, B="b", A=[1, 2]) { %y }'))).toBe(true);
    expect(structuralEqual(f, expr('fn (%y, B="b", A=[2, 1]) { %y }'))).toBe(false);
  });
});

describe('equality ignores', () => {
  it.each([
    ['places', '1i8', '   1i8'],
    ['the mark of literals', '1', '1i32'],
    ['names of variables', 'fn (%x) { %x }', 'fn (%y) { %y }'],
    ['names of type parameters', 'fn [A](%x: A) { %x }', 'fn [B](%y: B) { %y }'],
  ])('%s', (_, a, b) => {
    expect(structuralEqual(expr(a), expr(b))).toBe(true);
    expect(structuralHash(expr(a))).toBe(structuralHash(expr(b)));
  });
});

describe('equality sees', () => {
  it.each([
    ['dtypes of constants', '1i8', '1i16'],
    ['shapes of constants', 'Constant(1, (2), int8)', 'Constant(1, (1, 2), int8)'],
    ['the sign of zero', '0f', '-0f'],
    ['annotations', 'fn (%x: int8) { %x }', 'fn (%x: int16) { %x }'],
    ['a missing annotation', 'fn (%x: int8) { %x }', 'fn (%x) { %x }'],
    ['kinds of type parameters', 'fn [A: Shape]() { 1 }', 'fn [A]() { 1 }'],
    ['constraints', 'fn [A](%x: A) where Identity(A, A) { %x }', 'fn [A](%x: A) { %x }'],
    [
      'their order',
      'fn [A](%x: A) -> A where Identity, Broadcast(A, A, A) { %x }',
      'fn [A](%x: A) -> A where Broadcast(A, A, A), Identity { %x }',
    ],
    ['written type arguments', '@f[int8](1)', '@f(1)'],
    ['names of globals', '@f', '@g'],
    ['whether a match is complete', 'match 1 { _ => 1 }', 'match? 1 { _ => 1 }'],
  ])('%s', (_, a, b) => expect(structuralEqual(expr(a), expr(b))).toBe(false));

  it('names and definitions of a module', () => {
    const [m, other] = [mod('def @f() { 1 }'), mod('def @g() { 1 }')];
    expect(structuralEqual(m, other)).toBe(false);
    expect(structuralHash(m)).not.toBe(structuralHash(other));
    expect(structuralEqual(mod('type A { X }'), mod('type A { Y }'))).toBe(false);
    expect(structuralEqual(mod('type A { X }'), mod('extern type A'))).toBe(false);
    expect(structuralEqual(mod('type A[B] { X(B) }'), mod('type A[C] { X(C) }'))).toBe(true);
  });
});

describe('NaN', () => {
  it('is the same constant as itself', () => {
    const nan = () => constant(scalar(Number.NaN, 'float32'));
    expect(structuralEqual(nan(), nan())).toBe(true);
    expect(structuralHash(nan())).toBe(structuralHash(nan()));
  });
});
