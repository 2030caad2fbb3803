/** The unification of two types: [types §3.1](https://batonjs.github.io/baton/spec/types#3.1). */
import { isLeft } from '@baton/base';
import {
  addDims,
  anyDim,
  type Dim,
  dimOf,
  divideDims,
  funcType,
  incompleteType,
  multiplyDims,
  refType,
  scalarType,
  type Type,
  tensorType,
  tupleType,
  typeVar,
  unifyTypes,
} from '@baton/ir';
import { parseModule, printType } from '@baton/text';
import { describe, expect, it, test } from 'vitest';
import { mod } from './text-support.ts';

const context = mod(
  'type L[A] { } type E[n: ShapeVar] { } type S[s: Shape] { } type D[d: BaseType] { } ' +
    'type P[A, n: ShapeVar] { } type Q[A, B] { }',
);

/** Two types of a text with shared parameters of each kind. */
function typesOf(a: string, b: string): readonly [Type, Type] {
  const params = 'a, b, s: Shape, d: BaseType, n: ShapeVar, m: ShapeVar';
  const text = `#[version = "0.0.5"]\ndef @f[${params}](%x: ${a}, %y: ${b}) { %x }`;
  const parsed = parseModule(text, { ops: context.ops, context });
  if (isLeft(parsed)) throw new Error(parsed.left.map((d) => d.message).join());
  const found = parsed.right.functions.get('f')?.params.map((param) => param.typeAnnotation);
  return found as unknown as [Type, Type];
}

/** The merged type as text, or the code and the notes of the error. */
function merged(a: Type, b: Type): string {
  const result = unifyTypes(a, b);
  if (result._tag === 'Right') return printType(result.right);
  return result.left
    .map(({ code, related }) => [code, ...related.map((note) => note.message)].join(': '))
    .join('; ');
}

const NO = 'TYPE_MISMATCH';

describe('two types become', () => {
  test.each<[string, string, string]>([
    ['int8', 'int8', 'int8'],
    ['int8', 'int16', `${NO}: dtypes differ: int8 and int16`],
    ['_', 'int8', 'int8'],
    ['a', 'a', 'a'],
    ['a', 'b', NO],
    ['a', 'int8', NO],
    ['int8', '(int8,)', NO],
    // Tensors.
    ['Tensor[(2), int8]', 'Tensor[(3), int8]', `${NO}: dimension 0 conflicts: 2 does not match 3`],
    [
      'Tensor[(2, 3), int8]',
      'Tensor[(2, 4), int8]',
      `${NO}: dimension 1 conflicts: 3 does not match 4`,
    ],
    ['Tensor[(2), int8]', 'Tensor[(2, 2), int8]', `${NO}: ranks differ: 1 and 2`],
    ['Tensor[(1), int8]', 'int8', `${NO}: ranks differ: 1 and 0`],
    [
      'Tensor[(2), int8]',
      'Tensor[(3), int16]',
      `${NO}: dimension 0 conflicts: 2 does not match 3: dtypes differ: int8 and int16`,
    ],
    ['Tensor[(2, ?), int8]', 'Tensor[(?, 3), int8]', 'Tensor[(?, ?), int8]'],
    ['Tensor[(n), int8]', 'Tensor[(n), int8]', 'Tensor[(n), int8]'],
    ['Tensor[(n), int8]', 'Tensor[(m), int8]', `${NO}: dimension 0 conflicts: n does not match m`],
    ['Tensor[(n + 1), int8]', 'Tensor[(1 + n), int8]', 'Tensor[(n + 1), int8]'],
    ['Tensor[s, int8]', 'Tensor[s, int8]', 'Tensor[s, int8]'],
    ['Tensor[s, int8]', 'Tensor[(2), int8]', `${NO}: shapes differ`],
    ['Tensor[_, int8]', 'Tensor[(2), int8]', 'Tensor[(2), int8]'],
    ['Tensor[_, int8]', 'Tensor[s, int8]', 'Tensor[s, int8]'],
    ['Tensor[(2), _]', 'Tensor[(2), int8]', 'Tensor[(2), int8]'],
    ['Tensor[(2), _]', 'Tensor[(2), d]', 'Tensor[(2), d]'],
    ['Tensor[(2), d]', 'Tensor[(2), d]', 'Tensor[(2), d]'],
    ['Tensor[(2), d]', 'Tensor[(2), int8]', `${NO}: dtypes differ: d and int8`],
    ['Tensor[(_), int8]', 'Tensor[(2), int8]', 'Tensor[(2), int8]'],
    ['Tensor[(_, 3), int8]', 'Tensor[_, int8]', 'Tensor[(_, 3), int8]'],
    ['Tensor[(2, _), _]', 'Tensor[(_, 3), int8]', 'Tensor[(2, 3), int8]'],
    // Tuples and references.
    ['(int8, _)', '(_, int16)', '(int8, int16)'],
    ['(int8, int8)', '(int8, int16)', `${NO}: dtypes differ: int8 and int16`],
    ['(int8, int8)', '(int8,)', NO],
    ['()', '()', '()'],
    ['ref(_)', 'ref(int8)', 'ref(int8)'],
    ['ref(int8)', 'ref(int16)', `${NO}: dtypes differ: int8 and int16`],
    ['ref(int8)', '(int8,)', NO],
    ['((int8, _), ref(_))', '((_, a), ref((a, _)))', '((int8, a), ref((a, _)))'],
    // Functions of one type.
    ['fn (_) -> int8', 'fn (int16) -> _', 'fn (int16) -> int8'],
    ['fn (int8) -> int8', 'fn (int8) -> int16', `${NO}: dtypes differ: int8 and int16`],
    ['fn (int8) -> int8', 'fn (int16) -> int8', `${NO}: dtypes differ: int8 and int16`],
    ['fn (int8) -> int8', 'fn () -> int8', NO],
    ['fn () -> int8', 'int8', NO],
    // Data types.
    ['L[_]', 'L[int8]', 'L[int8]'],
    ['L[int8]', 'L[int16]', `${NO}: dtypes differ: int8 and int16`],
    ['L[int8]', 'Q[int8, int8]', NO],
    ['L[int8]', 'D[int8]', NO],
    ['Q[_, int8]', 'Q[int16, _]', 'Q[int16, int8]'],
    ['E[_]', 'E[2]', 'E[2]'],
    ['E[2]', 'E[3]', `${NO}: dimension 2 does not match 3`],
    ['E[?]', 'E[2]', 'E[?]'],
    ['E[n]', 'E[n]', 'E[n]'],
    ['S[(2, _)]', 'S[(_, 3)]', 'S[(2, 3)]'],
    ['S[(2, 3)]', 'S[(2, 4)]', `${NO}: dimension 1 conflicts: 3 does not match 4`],
    ['S[s]', 'S[(2)]', `${NO}: shapes differ`],
    ['D[_]', 'D[int8]', 'D[int8]'],
    ['D[int8]', 'D[int16]', `${NO}: dtypes differ: int8 and int16`],
    ['P[_, 2]', 'P[int8, _]', 'P[int8, 2]'],
    ['P[(int8, _), 2]', 'P[(_, int16), ?]', 'P[(int8, int16), ?]'],
    ['P[int8, 2]', 'P[int8, 3]', `${NO}: dimension 2 does not match 3`],
    ['P[int8, 2]', 'P[int16, 2]', `${NO}: dtypes differ: int8 and int16`],
    // Functions with type parameters.
    ['fn [A](A) -> A', 'fn (int8) -> int8', 'fn (int8) -> int8'],
    ['fn [A](A) -> A', 'fn (int8) -> int16', `${NO}: dtypes differ: int8 and int16`],
    ['fn [A](A) -> A', 'fn (_) -> int8', 'fn (int8) -> int8'],
    ['fn [A](A) -> (A, A)', 'fn (int8) -> _', 'fn (int8) -> (int8, int8)'],
    ['fn [A](A, A) -> A', 'fn (int8) -> int8', `${NO}: the numbers of parameters differ`],
    ['fn [A, B](A, B) -> A', 'fn [C](C, C) -> C', 'fn [C](C, C) -> C'],
    ['fn [A, B](A, B) -> A', 'fn [C, D](C, C) -> C', NO],
    ['fn [A, B](A, B) -> A', 'fn [C, D](C, D) -> C', 'fn [A, B](A, B) -> A'],
    ['fn [A, B](A, B) -> A', 'fn [C, D](D, C) -> D', NO],
    [
      'fn [x: Shape](Tensor[x, int8]) -> ()',
      'fn (Tensor[(2), int8]) -> ()',
      'fn (Tensor[(2), int8]) -> ()',
    ],
    [
      'fn [x: BaseType](Tensor[(2), x]) -> ()',
      'fn (Tensor[(2), int8]) -> ()',
      'fn (Tensor[(2), int8]) -> ()',
    ],
    [
      'fn [x: ShapeVar](Tensor[(x, x), int8]) -> ()',
      'fn (Tensor[(2, 2), int8]) -> ()',
      'fn (Tensor[(2, 2), int8]) -> ()',
    ],
    [
      'fn [x: ShapeVar](Tensor[(x, x), int8]) -> ()',
      'fn (Tensor[(2, 3), int8]) -> ()',
      `${NO}: dimension 1 conflicts: 2 does not match 3`,
    ],
    [
      'fn [x: Shape](Tensor[x, int8]) -> ()',
      'fn [y: BaseType](Tensor[(2), y]) -> ()',
      `${NO}: shapes differ`,
    ],
    ['L[fn [A](A) -> A]', 'L[fn (int8) -> _]', 'L[fn (int8) -> int8]'],
  ])('%s and %s: %s', (left, right, expected) => {
    const [a, b] = typesOf(left, right);
    expect(merged(a, b)).toBe(expected);
  });

  test.each<[string, string]>([
    ['int8', '_'],
    ['Tensor[(2), int8]', 'Tensor[_, int8]'],
    ['Tensor[(2), int8]', 'Tensor[(2), _]'],
    ['Tensor[(?), int8]', 'Tensor[(2), int8]'],
    ['(int8, int16)', '(_, int16)'],
    ['ref(int8)', 'ref(_)'],
    ['fn (int8) -> int8', 'fn (_) -> int8'],
    ['fn (int8) -> int8', 'fn [A](A) -> A'],
    ['L[int8]', 'L[_]'],
    ['S[(2)]', 'S[_]'],
    ['D[int8]', 'D[_]'],
    ['E[2]', 'E[_]'],
    ['P[int8, ?]', 'P[_, 2]'],
  ])('%s itself, which meets %s, on either side', (left, right) => {
    for (const [a, b] of [typesOf(left, right), typesOf(right, left).toReversed()]) {
      for (const result of [unifyTypes(a as Type, b as Type), unifyTypes(b as Type, a as Type)]) {
        expect(result._tag === 'Right' && result.right).toBe(a);
      }
    }
  });
});

describe('a hole', () => {
  const i8 = scalarType('int8');
  it('is one type everywhere', () => {
    const hole = incompleteType();
    const pair = tupleType([hole, refType(hole)]);
    expect(merged(pair, tupleType([i8, refType(i8)]))).toBe('(int8, ref(int8))');
    expect(merged(pair, tupleType([i8, refType(scalarType('int16'))]))).toBe(
      `${NO}: dtypes differ: int8 and int16`,
    );
  });

  it('is one type through other holes, in whatever order they meet', () => {
    const [h, j, k] = [incompleteType(), incompleteType(), incompleteType()];
    for (const [left, right] of [
      [tupleType([h, j, k, h]), tupleType([j, k, i8, i8])],
      [tupleType([k, j, h, k]), tupleType([j, h, i8, i8])],
      [tupleType([h, k, h, j]), tupleType([j, j, i8, i8])],
    ] as const) {
      const result = unifyTypes(left, right);
      expect(result._tag === 'Right' && printType(result.right)).toBe('(int8, int8, int8, int8)');
      expect(merged(left, tupleType([...right.fields.slice(0, 3), scalarType('int16')]))).toContain(
        NO,
      );
    }
  });

  it('is not a part of itself', () => {
    const hole = incompleteType();
    for (const whole of [
      tupleType([hole]),
      refType(hole),
      funcType([hole], i8),
      funcType([], hole),
    ]) {
      expect(merged(hole, whole)).toBe('TYPE_INFINITE');
      expect(merged(whole, hole)).toBe('TYPE_INFINITE');
    }
    expect(merged(hole, hole)).toBe('_');
  });

  it('is not a part of itself, through another', () => {
    const [h, k] = [incompleteType(), incompleteType()];
    expect(merged(tupleType([h, k]), tupleType([refType(k), refType(h)]))).toBe('TYPE_INFINITE');
  });

  it('of a dtype, a shape or a dimension is one everywhere', () => {
    const d = incompleteType('BaseType');
    const s = incompleteType('Shape');
    const n = dimOf(incompleteType('ShapeVar'));
    const pair = (at: (kind: Type) => Type): Type => tupleType([at(i8), at(i8)]);
    const both = (a: Type, b: Type): Type => tupleType([a, b]);
    const byDType = pair(() => tensorType([2], d));
    expect(merged(byDType, both(tensorType([2], 'int8'), tensorType([2], 'int16')))).toContain(NO);
    const byShape = pair(() => tensorType(s, 'int8'));
    expect(merged(byShape, both(tensorType([2], 'int8'), tensorType([3], 'int8')))).toContain(NO);
    expect(merged(byShape, both(tensorType([2], 'int8'), tensorType([2], 'int8')))).toBe(
      '(Tensor[(2), int8], Tensor[(2), int8])',
    );
    const byDim = pair(() => tensorType([n], 'int8'));
    expect(merged(byDim, both(tensorType([2], 'int8'), tensorType([3], 'int8')))).toContain(NO);
  });

  it('of a shape that becomes () leaves a scalar', () => {
    const scalar = tensorType(incompleteType('Shape'), 'int8');
    const result = unifyTypes(tupleType([scalar]), tupleType([i8]));
    expect(result).toMatchObject({ right: { fields: [i8] } });
    expect(
      result._tag === 'Right' && result.right._tag === 'TupleType' && result.right.fields[0],
    ).toBe(i8);
  });
});

describe('equations of dimensions', () => {
  const hole = () => dimOf(incompleteType('ShapeVar'));
  const list = (...of: Dim[]): Type => tupleType(of.map((dim) => tensorType([dim], 'int8')));
  const n = dimOf(typeVar('n', 'ShapeVar'));

  it('of holes in a row are one dimension', () => {
    const [h, j, k] = [hole(), hole(), hole()];
    expect(merged(list(h, j, k, h), list(j, k, 3, 3))).toContain('(3)');
    expect(merged(list(h, j, k, h), list(j, k, 3, 4))).toContain(NO);
    expect(merged(list(k, j, h, k), list(j, h, 3, 4))).toContain(NO);
  });

  it('with more terms than a dimension has wait', () => {
    const names = (prefix: string): Dim =>
      Array.from({ length: 40 }, (_, i) => dimOf(typeVar(`${prefix}${i}`, 'ShapeVar'))).reduce<Dim>(
        (sum, one) => addDims(sum, one),
        0,
      );
    const half = divideDims(addDims(hole(), names('a')), 2) ?? anyDim;
    expect(unifyTypes(list(addDims(half, names('b'))), list(n))._tag).toBe('Right');
  });

  it.each<[string, (h: ReturnType<typeof hole>) => readonly [Type, Type], string]>([
    [
      'h + 3 = 3',
      (h) => [list(addDims(h, 3), h), list(3, 0)],
      '(Tensor[(3), int8], Tensor[(0), int8])',
    ],
    [
      'h + 3 = 2',
      (h) => [list(addDims(h, 3)), list(2)],
      `${NO}: dimension 0 conflicts: _ + 3 does not match 2`,
    ],
    [
      '2 * h = 8, and then h',
      (h) => [list(multiplyDims(h, 2), h), list(8, 4)],
      '(Tensor[(8), int8], Tensor[(4), int8])',
    ],
    [
      '2 * h = 7',
      (h) => [list(multiplyDims(h, 2)), list(7)],
      `${NO}: dimension 0 conflicts: 2 * _ does not match 7`,
    ],
    [
      '8 = 2 * h, and then h',
      (h) => [list(8, 4), list(multiplyDims(h, 2), h)],
      '(Tensor[(8), int8], Tensor[(4), int8])',
    ],
    ['h = h', (h) => [list(h), list(h)], '(Tensor[(_), int8],)'],
    [
      'h = h + 1',
      (h) => [list(h), list(addDims(h, 1))],
      `${NO}: dimension 0 conflicts: _ does not match _ + 1`,
    ],
    [
      'h + n = n + 2, and then h',
      (h) => [list(addDims(h, n), h), list(addDims(n, 2), 2)],
      '(Tensor[(n + 2), int8], Tensor[(2), int8])',
    ],
    [
      'h * n = 2 * n waits',
      (h) => [list(multiplyDims(h, n)), list(multiplyDims(n, 2))],
      '(Tensor[(_ * n), int8],)',
    ],
    [
      '? = h, and then 2',
      (h) => [list(anyDim, h), list(h, 2)],
      '(Tensor[(?), int8], Tensor[(2), int8])',
    ],
    [
      'h = ?, and then 2',
      (h) => [list(h, h), list(anyDim, 2)],
      '(Tensor[(?), int8], Tensor[(2), int8])',
    ],
  ])('%s', (_, make, expected) => {
    const [a, b] = make(hole());
    expect(merged(a, b)).toBe(expected);
  });
});
