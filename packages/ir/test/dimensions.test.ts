/**
 * Dimensions in normal form, and equations between them:
 * [types §3.1](https://batonjs.github.io/baton/spec/types#3.1),
 * [§10.1](https://batonjs.github.io/baton/spec/types#10.1).
 */
import {
  addDims,
  anyDim,
  checkKind,
  type Dim,
  dimOf,
  dimsEqual,
  divideDims,
  incompleteType,
  isAnyDim,
  multiplyDims,
  subtractDims,
  type Type,
  tensorType,
  tupleType,
  typeEqual,
  typeVar,
  unifyTypes,
} from '@baton/ir';
import { describe, expect, it, test } from 'vitest';

const n = dimOf(typeVar('n', 'ShapeVar'));
const m = dimOf(typeVar('m', 'ShapeVar'));

const quotient = (a: Dim, b: Dim): Dim => divideDims(a, b) ?? anyDim;
const twice = (a: Dim): Dim => multiplyDims(2, a);

describe('normal form', () => {
  test.each<[string, Dim, Dim]>([
    ['-1 * 0', multiplyDims(-1, 0), 0],
    ['0 * n / -1', divideDims(multiplyDims(0, n), -1) ?? anyDim, 0],
    ['-8 * m, 0 - 8 * m', multiplyDims(-8, m), subtractDims(0, multiplyDims(8, m))],
    [
      '-8 * m + 4 * m * n',
      multiplyDims(m, subtractDims(multiplyDims(4, n), 8)),
      subtractDims(multiplyDims(4, multiplyDims(m, n)), multiplyDims(8, m)),
    ],
  ])('%s: no zero has a sign, which hashes tell', (_, one, other) => {
    const [a, b] = [one, other].map((dim) => tensorType([dim], 'float32'));
    expect(a?.hash).toBe(b?.hash);
    expect(typeEqual(a as Type, b as Type)).toBe(true);
  });

  test.each<[string, Dim, Dim]>([
    ['2 * m, m + m', multiplyDims(2, m), addDims(m, m)],
    ['n + m, m + n', addDims(n, m), addDims(m, n)],
    ['n * m, m * n', multiplyDims(n, m), multiplyDims(m, n)],
    ['(n + 1) * 2', multiplyDims(addDims(n, 1), 2), addDims(multiplyDims(2, n), 2)],
    ['n - n', subtractDims(n, n), 0],
    ['4 * n / 2', divideDims(multiplyDims(4, n), 2) ?? anyDim, multiplyDims(2, n)],
    ['n / n', divideDims(n, n) ?? anyDim, 1],
    ['2 * (n / 2)', twice(quotient(n, 2)), n],
    ['n / 2 + n / 2', addDims(quotient(n, 2), quotient(n, 2)), n],
    ['n * m / m', quotient(multiplyDims(n, m), m), n],
    ['n / m * m', multiplyDims(quotient(n, m), m), n],
    [
      '(2 * n * m + 2 * m) / (2 * m)',
      quotient(twice(addDims(multiplyDims(n, m), m)), twice(m)),
      addDims(n, 1),
    ],
    [
      '6 * (n / 2) * (m / 3)',
      multiplyDims(6, multiplyDims(quotient(n, 2), quotient(m, 3))),
      multiplyDims(n, m),
    ],
  ])('%s', (_title, a, b) => {
    expect(dimsEqual(a, b)).toBe(true);
  });

  it('a division that does not cancel stays', () => {
    const half = divideDims(n, 2) ?? anyDim;
    expect(dimsEqual(half, divideDims(n, 2) ?? anyDim)).toBe(true);
    expect(dimsEqual(half, n)).toBe(false);
    expect(dimsEqual(multiplyDims(3, half), n)).toBe(false);
    expect(divideDims(3, 2)).toBeUndefined();
  });

  it('a dimension that would grow without end is unknown', () => {
    let nested: Dim = n;
    for (let i = 0; i < 50_000; i++) nested = divideDims(nested, 2) ?? anyDim;
    expect(isAnyDim(nested)).toBe(true);
    let product: Dim = 1;
    for (let i = 0; i < 100; i++) {
      product = multiplyDims(product, addDims(dimOf(typeVar(`v${i}`, 'ShapeVar')), 1));
    }
    expect(isAnyDim(product)).toBe(true);
  });
});

describe('equations', () => {
  const hole = () => dimOf(incompleteType('ShapeVar'));
  const shape = (...dims: Dim[]): Type => tensorType(dims, 'float32');
  const solved = (make: (h: Dim) => [Type, Type]): Type | undefined => {
    const [a, b] = make(hole());
    const merged = unifyTypes(a, b);
    return merged._tag === 'Right' ? merged.right : undefined;
  };

  test.each<[string, (h: Dim) => [Type, Type], Type | undefined]>([
    ['a hole is a size', (h) => [shape(h), shape(3)], shape(3)],
    ['a hole is a name', (h) => [shape(h), shape(n)], shape(n)],
    ['2 * h = 8', (h) => [shape(multiplyDims(2, h)), shape(8)], shape(8)],
    ['2 * h = 7', (h) => [shape(multiplyDims(2, h)), shape(7)], undefined],
    ['h + 3 = 2', (h) => [shape(addDims(h, 3)), shape(2)], undefined],
    ['h + 3 = n + 3', (h) => [shape(addDims(h, 3)), shape(addDims(n, 3))], shape(addDims(n, 3))],
    ['h / 2 = 3', (h) => [shape(quotient(h, 2)), shape(3)], shape(3)],
    ['h / 2 + 1 = n', (h) => [shape(addDims(quotient(h, 2), 1)), shape(n)], shape(n)],
    ['2 * h = n', (h) => [shape(multiplyDims(2, h)), shape(n)], undefined],
    [
      '2 * h = 4 * n, and then h',
      (h) => [
        tupleType([shape(multiplyDims(2, h)), shape(h)]),
        tupleType([shape(multiplyDims(4, n)), shape(multiplyDims(2, n))]),
      ],
      tupleType([shape(multiplyDims(4, n)), shape(multiplyDims(2, n))]),
    ],
    [
      'h is one thing everywhere',
      (h) => [tupleType([shape(h), shape(h)]), tupleType([shape(n), shape(m)])],
      undefined,
    ],
    ['a name is no size', () => [shape(n), shape(3)], undefined],
    ['a name is no other name', () => [shape(n), shape(m)], undefined],
    ['? takes everything', () => [shape(anyDim), shape(n)], shape(anyDim)],
    [
      'what is known wins over ?',
      (h) => [tupleType([shape(h), shape(h)]), tupleType([shape(anyDim), shape(4)])],
      tupleType([shape(anyDim), shape(4)]),
    ],
  ])('%s', (_title, make, expected) => {
    const found = solved(make);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found !== undefined && typeEqual(found, expected)).toBe(true);
  });

  it('several holes wait for each other', () => {
    const [a, b] = [hole(), hole()];
    const left = tupleType([shape(addDims(a, b)), shape(a), shape(b)]);
    const right = (sum: number) => tupleType([shape(sum), shape(3), shape(4)]);
    expect(unifyTypes(left, right(7))._tag).toBe('Right');
    const [c, d] = [hole(), hole()];
    const other = tupleType([shape(addDims(c, d)), shape(c), shape(d)]);
    expect(unifyTypes(other, right(8))._tag).toBe('Left');
  });
});

test('kinds', () => {
  const scope = { typeDefinitions: new Map() };
  expect(checkKind(tensorType([n], 'int8'), scope)).toMatchObject({ right: 'Type' });
  expect(checkKind(typeVar('s', 'Shape'), scope)._tag).toBe('Left');
  expect(checkKind(tensorType(typeVar('d', 'BaseType'), 'int8'), scope)._tag).toBe('Left');
});
