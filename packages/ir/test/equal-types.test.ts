/**
 * The fields that equality of types compares: for each kind of type and each of its parts, two
 * types that differ only in that part; and for each place of a variable, two variables.
 */
import {
  type Attrs,
  addDims,
  anyDim,
  type Dim,
  dimOf,
  divideDims,
  funcType,
  globalTypeVar,
  incompleteType,
  multiplyDims,
  type ParamKind,
  refType,
  scalarType,
  type Type,
  type TypeArg,
  tensorType,
  tupleType,
  typeCall,
  typeEqual,
  typeRelation,
  typeVar,
} from '@baton/ir';
import { describe, expect, it, test } from 'vitest';

const [i8, i16] = [scalarType('int8'), scalarType('int16')];
const unit = tupleType([]);
const box = globalTypeVar('Box');
const boxOf = (...args: TypeArg[]): Type => typeCall(box, args);
const type = (value: Type): TypeArg => ({ _tag: 'TypeArg', kind: 'Type', value });
const dim = (value: Dim): TypeArg => ({ _tag: 'TypeArg', kind: 'ShapeVar', value });
const dims = (...value: Dim[]): Type => tensorType(value, 'int8');
const quotient = (a: Dim, b: Dim): Dim => divideDims(a, b) ?? anyDim;
const stating = (name: string, args: ReadonlyArray<Type>, inputs: number, attrs?: Attrs): Type =>
  funcType([], unit, [], [typeRelation(name, args, inputs, attrs)]);

const bothWays = (a: Type, b: Type): ReadonlyArray<boolean> => [typeEqual(a, b), typeEqual(b, a)];

const n = dimOf(typeVar('n', 'ShapeVar'));
const m = dimOf(typeVar('m', 'ShapeVar'));
const s = typeVar('s', 'Shape');
const d = typeVar('d', 'BaseType');

describe('two types that differ in one part', () => {
  test.each<[string, Type, Type]>([
    ['kinds of types', unit, i8],
    ['tensor: dtype', i8, i16],
    ['tensor: a dtype and a variable', tensorType([], d), i8],
    ['tensor: rank', dims(2), dims(2, 2)],
    ['tensor: rank 0', dims(), dims(1)],
    ['tensor: first dimension', dims(2, 3), dims(4, 3)],
    ['tensor: last dimension', dims(2, 3), dims(2, 4)],
    ['tensor: a shape and a variable', tensorType(s, 'int8'), dims(2)],
    [
      'tensor: a hole and a variable',
      tensorType(incompleteType('Shape'), 'int8'),
      tensorType(s, 'int8'),
    ],
    ['dimension: a number and ?', dims(2), dims(anyDim)],
    ['dimension: a number and a variable', dims(2), dims(n)],
    ['dimension: ? and a variable', dims(anyDim), dims(n)],
    ['dimension: constant', dims(addDims(n, 1)), dims(addDims(n, 2))],
    ['dimension: coefficient', dims(multiplyDims(n, 2)), dims(multiplyDims(n, 3))],
    ['dimension: number of terms', dims(addDims(n, m)), dims(n)],
    ['dimension: number of factors', dims(multiplyDims(n, n)), dims(n)],
    ['dimension: variable', dims(n), dims(m)],
    [
      'dimension: one of two variables',
      dims(addDims(n, m)),
      dims(addDims(n, dimOf(typeVar('k', 'ShapeVar')))),
    ],
    ['dimension: a division and a variable', dims(quotient(n, 2)), dims(n)],
    ['dimension: divisor', dims(quotient(n, 2)), dims(quotient(n, 3))],
    ['dimension: dividend', dims(quotient(n, 2)), dims(quotient(m, 2))],
    ['dimension: a division the other way', dims(quotient(n, m)), dims(quotient(m, n))],
    ['tuple: first field', tupleType([i8, i8]), tupleType([i16, i8])],
    ['tuple: last field', tupleType([i8, i8]), tupleType([i8, i16])],
    ['tuple: number of fields', tupleType([i8]), tupleType([i8, i8])],
    ['reference: content', refType(i8), refType(i16)],
    ['function: parameter', funcType([i8], unit), funcType([i16], unit)],
    ['function: number of parameters', funcType([i8], unit), funcType([], unit)],
    ['function: result', funcType([], i8), funcType([], i16)],
    ['function: number of type parameters', funcType([], unit, [typeVar('a')]), funcType([], unit)],
    [
      'function: kind of a type parameter',
      funcType([], unit, [typeVar('a')]),
      funcType([], unit, [s]),
    ],
    ['function: number of relations', stating('R', [i8], 0), funcType([], unit)],
    ['relation: name', stating('R', [i8], 0), stating('Q', [i8], 0)],
    ['relation: argument', stating('R', [i8, i8], 1), stating('R', [i8, i16], 1)],
    ['relation: number of arguments', stating('R', [i8, i8], 1), stating('R', [i8], 1)],
    ['relation: number of inputs', stating('R', [i8, i8], 1), stating('R', [i8, i8], 2)],
    ['relation: attribute', stating('R', [i8], 0, { axis: 1 }), stating('R', [i8], 0, { axis: 2 })],
    ['relation: attributes', stating('R', [i8], 0, { axis: 1 }), stating('R', [i8], 0)],
    ['name of a data type', box, globalTypeVar('Bag')],
    ['data type: name', boxOf(type(i8)), typeCall(globalTypeVar('Bag'), [type(i8)])],
    ['data type: number of arguments', boxOf(type(i8)), boxOf()],
    ['data type: argument', boxOf(type(i8), type(i8)), boxOf(type(i8), type(i16))],
    ['data type: dimension', boxOf(dim(2)), boxOf(dim(3))],
    [
      'data type: shape',
      boxOf({ _tag: 'TypeArg', kind: 'Shape', value: [2] }),
      boxOf({ _tag: 'TypeArg', kind: 'Shape', value: [3] }),
    ],
    [
      'data type: dtype',
      boxOf({ _tag: 'TypeArg', kind: 'BaseType', value: 'int8' }),
      boxOf({ _tag: 'TypeArg', kind: 'BaseType', value: 'int16' }),
    ],
    [
      'data type: kind of an argument',
      boxOf({ _tag: 'TypeArg', kind: 'BaseType', value: d }),
      boxOf(type(d)),
    ],
    ['variable: its kind', typeVar('a'), s],
    ['a variable and a hole', typeVar('a'), incompleteType()],
    ['holes of two kinds', incompleteType('Shape'), incompleteType('BaseType')],
  ])('%s', (_, a, b) => {
    expect(bothWays(a, b)).toEqual([false, false]);
  });
});

/** A type that mentions a variable of this kind in one place. */
type Place = readonly [title: string, kind: ParamKind, at: (v: ReturnType<typeof typeVar>) => Type];

const places: ReadonlyArray<Place> = [
  ['alone', 'Type', (v) => v],
  ['in a tuple', 'Type', (v) => tupleType([i8, v])],
  ['in a reference', 'Type', (v) => refType(v)],
  ['as a parameter', 'Type', (v) => funcType([v], unit)],
  ['as a result', 'Type', (v) => funcType([], v)],
  ['in a relation', 'Type', (v) => stating('R', [i8, v], 1)],
  ['in a data type', 'Type', (v) => boxOf(type(i8), type(v))],
  [
    'as the shape of a data type',
    'Shape',
    (v) => boxOf({ _tag: 'TypeArg', kind: 'Shape', value: v }),
  ],
  [
    'as the dtype of a data type',
    'BaseType',
    (v) => boxOf({ _tag: 'TypeArg', kind: 'BaseType', value: v }),
  ],
  ['as a dimension of a data type', 'ShapeVar', (v) => boxOf(dim(dimOf(v)))],
  ['as a shape', 'Shape', (v) => tensorType(v, 'int8')],
  ['as a dtype', 'BaseType', (v) => tensorType([2], v)],
  ['as a dimension', 'ShapeVar', (v) => dims(3, dimOf(v))],
  ['in a sum', 'ShapeVar', (v) => dims(addDims(dimOf(v), 1))],
  ['in a product', 'ShapeVar', (v) => dims(multiplyDims(multiplyDims(dimOf(v), n), 3))],
  ['as a dividend', 'ShapeVar', (v) => dims(quotient(dimOf(v), 2))],
  ['as a divisor', 'ShapeVar', (v) => dims(quotient(n, dimOf(v)))],
];

describe.each(places)('a variable %s', (_, kind, at) => {
  const over = (pick: 0 | 1): Type => {
    const params = [typeVar('a', kind), typeVar('b', kind)] as const;
    return funcType([at(params[pick])], unit, params);
  };

  it('corresponds to that of the same binder', () => {
    expect(bothWays(over(0), over(0))).toEqual([true, true]);
    expect(bothWays(over(0), over(1))).toEqual([false, false]);
  });

  it('is itself where nothing binds it, before and after it was bound', () => {
    const [v, w] = [typeVar('v', kind), typeVar('v', kind)];
    const [left, right] = [tupleType([at(v)]), tupleType([at(w)])];
    expect(bothWays(left, right)).toEqual([false, false]);
    expect(typeEqual(left, tupleType([at(v)]))).toBe(true);
    expect(typeEqual(funcType([left], unit, [v]), funcType([right], unit, [w]))).toBe(true);
    expect(bothWays(left, right)).toEqual([false, false]);
  });

  it('is no variable of the outside', () => {
    const [v, w] = [typeVar('v', kind), typeVar('w', kind)];
    const bound = (pick: typeof v): Type => funcType([at(pick)], unit, [v]);
    expect(bothWays(bound(v), bound(w))).toEqual([false, false]);
    expect(bothWays(bound(w), bound(w))).toEqual([true, true]);
  });
});

describe('holes', () => {
  const kinds: ReadonlyArray<ParamKind> = ['Type', 'Shape', 'BaseType', 'ShapeVar'];
  const at = (hole: ReturnType<typeof incompleteType>): Type => {
    if (hole.kind === 'Type') return hole;
    if (hole.kind === 'Shape') return tensorType(hole, 'int8');
    return hole.kind === 'BaseType' ? tensorType([], hole) : dims(dimOf(hole));
  };
  it.each(kinds)('of %s correspond one to one, in each comparison anew', (kind) => {
    const [h, k] = [incompleteType(kind), incompleteType(kind)];
    const pair = (a: typeof h, b: typeof h): Type => tupleType([at(a), at(b)]);
    expect(bothWays(pair(h, h), pair(k, k))).toEqual([true, true]);
    expect(bothWays(pair(h, k), pair(k, h))).toEqual([true, true]);
    expect(bothWays(pair(h, h), pair(h, k))).toEqual([false, false]);
  });
});

describe('dimensions', () => {
  const over = (make: (a: Dim, b: Dim) => Dim): Type => {
    const [a, b] = [typeVar('a', 'ShapeVar'), typeVar('b', 'ShapeVar')];
    return funcType([dims(dimOf(a), dimOf(b), make(dimOf(a), dimOf(b)))], unit, [a, b]);
  };
  test.each<[string, (a: Dim, b: Dim) => Dim, (a: Dim, b: Dim) => Dim, boolean]>([
    ['terms in any order', (a, b) => addDims(a, b), (a, b) => addDims(b, a), true],
    ['factors in any order', (a, b) => multiplyDims(a, b), (a, b) => multiplyDims(b, a), true],
    ['each term once', (a, b) => addDims(a, b), (a) => addDims(a, multiplyDims(a, a)), false],
    ['each factor once', (a, b) => multiplyDims(a, b), (a) => multiplyDims(a, a), false],
    [
      'coefficients with their terms',
      (a, b) => addDims(multiplyDims(a, 2), b),
      (a, b) => addDims(a, multiplyDims(b, 2)),
      false,
    ],
    ['divisions by what they divide', (a, b) => quotient(a, b), (a, b) => quotient(b, a), false],
    ['equal divisions', (a, b) => quotient(a, b), (a, b) => quotient(a, b), true],
  ])('%s', (_, left, right, expected) => {
    expect(bothWays(over(left), over(right))).toEqual([expected, expected]);
  });
});

describe('function types inside each other', () => {
  const inner = (v: ReturnType<typeof typeVar>): Type => funcType([v], v, [v]);
  it('pair the parameter of the inner one only inside it', () => {
    const [a, b, c] = [typeVar('a'), typeVar('b'), typeVar('c')];
    // On one side only, the inner parameter is the outer function's.
    const shadowing = funcType([inner(a), a], a, [a]);
    const apart = funcType([inner(b), c], c, [c]);
    expect(bothWays(shadowing, apart)).toEqual([true, true]);
    expect(bothWays(shadowing, funcType([inner(b), c], b, [c]))).toEqual([false, false]);
  });

  it('restore the pairing of a shadowed parameter', () => {
    const [a, b, c, e] = [typeVar('a'), typeVar('b'), typeVar('c'), typeVar('e')];
    const left = funcType([a, inner(a), a, b], unit, [a, b]);
    const right = funcType([c, inner(e), c, e], unit, [c, e]);
    expect(bothWays(left, right)).toEqual([true, true]);
    expect(bothWays(left, funcType([c, inner(e), e, c], unit, [c, e]))).toEqual([false, false]);
  });
});
