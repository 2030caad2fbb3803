/** The type parameters that types mention and bind, and the result of replacing them. */
import {
  addDims,
  allTypeVars,
  boundTypeVars,
  dimOf,
  freeTypeVars,
  funcType,
  globalTypeVar,
  multiplyDims,
  refType,
  replaceTypeVars,
  type Type,
  type TypeArg,
  tensorType,
  tupleType,
  typeCall,
  typeEqual,
  typeVar,
  varArg,
} from '@baton/ir';
import { describe, expect, it } from 'vitest';

const a = typeVar('a');
const s = typeVar('s', 'Shape');
const d = typeVar('d', 'BaseType');
const n = typeVar('n', 'ShapeVar');
const m = typeVar('m', 'ShapeVar');
const [dimN, dimM] = [dimOf(n), dimOf(m)];
const data = globalTypeVar('D');

describe('the type parameters of a type', () => {
  it.each<readonly [string, Type, ReadonlyArray<unknown>]>([
    ['itself', a, [a]],
    ['a shape', tensorType(s, 'float32'), [s]],
    ['a dtype', tensorType([2], d), [d]],
    ['a dimension', tensorType([3, dimN], 'float32'), [n]],
    [
      'the parts of a dimension',
      tensorType([addDims(multiplyDims(2, dimN), multiplyDims(dimN, dimM))], 'float32'),
      [n, m],
    ],
    ['a field', tupleType([a, tensorType([], d)]), [a, d]],
    ['a cell', refType(a), [a]],
    ['arguments of a data type', typeCall(data, [a, s, d, n].map(varArg)), [a, s, d, n]],
    ['none', tensorType([2], 'float32'), []],
  ])('%s', (_, type, expected) => {
    expect(new Set(freeTypeVars(type))).toEqual(new Set(expected));
    expect(new Set(allTypeVars(type))).toEqual(new Set(expected));
    expect(boundTypeVars(type)).toEqual([]);
  });

  it('a function type binds its own', () => {
    const type = funcType([a, tensorType(s, d)], a, [a, s]);
    expect(freeTypeVars(type)).toEqual([d]);
    expect(boundTypeVars(type)).toEqual([a, s]);
    expect(new Set(allTypeVars(type))).toEqual(new Set([a, s, d]));
  });
});

describe('replacing type parameters', () => {
  const arg = (kind: TypeArg['kind'], value: unknown): TypeArg =>
    ({ _tag: 'TypeArg', kind, value }) as TypeArg;
  const replaced = (type: Type, args: ReadonlyMap<typeof a, TypeArg>): Type =>
    replaceTypeVars(args).type(type);

  it.each([
    ['a', a, arg('Type', tensorType([1], 'bool')), tensorType([1], 'bool')],
    ['s', tensorType(s, 'int8'), arg('Shape', [2, 3]), tensorType([2, 3], 'int8')],
    ['d', tensorType([2], d), arg('BaseType', 'int32'), tensorType([2], 'int32')],
    ['n', tensorType([addDims(dimN, 1)], 'int8'), arg('ShapeVar', 4), tensorType([5], 'int8')],
  ] as const)('%s by what stands for it', (name, type, by, expected) => {
    const of = { a, s, d, n }[name];
    expect(typeEqual(replaced(type, new Map([[of, by]])), expected)).toBe(true);
  });

  it.each([
    ['a dtype', d, arg('BaseType', 'int32'), tensorType([], d)],
    ['a shape', s, arg('Shape', [2]), tensorType(s, 'int8')],
    ['a number', n, arg('ShapeVar', 4), tensorType([dimN], 'int8')],
  ] as const)('a binder stays where %s stands for it', (_, v, by, part) => {
    const type = replaced(funcType([part], part, [v]), new Map([[v, by]]));
    expect(boundTypeVars(type)).toEqual([v]);
  });

  it.each([
    ['a', typeVar('b')],
    ['s', typeVar('t', 'Shape')],
    ['d', typeVar('e', 'BaseType')],
    ['n', typeVar('k', 'ShapeVar')],
  ] as const)('a binder %s is renamed with its uses', (name, to) => {
    const v = { a, s, d, n }[name];
    const type = funcType([typeCall(data, [varArg(v)])], a, [v]);
    const renamed = replaced(type, new Map([[v, varArg(to)]]));
    expect(boundTypeVars(renamed)).toEqual([to]);
    expect(freeTypeVars(renamed)).toEqual(name === 'a' ? [] : [a]);
  });
});
