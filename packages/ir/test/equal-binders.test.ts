import {
  type Expr,
  func,
  funcType,
  incompleteType,
  scalarType,
  structuralEqual,
  tensorType,
  tuple,
  tupleType,
  typeEqual,
  typeVar,
  variable,
} from '@baton/ir';
import { describe, expect, it } from 'vitest';

const identityType = () => {
  const a = typeVar('A');
  return funcType([a], a, [a]);
};

const identity = (): Expr => {
  const x = variable('x');
  return func([x], x);
};

describe('binders that one side shares', () => {
  it('meet each copy of a function type on the other side', () => {
    const shared = identityType();
    expect(
      typeEqual(tupleType([shared, shared]), tupleType([identityType(), identityType()])),
    ).toBe(true);
    expect(
      typeEqual(tupleType([identityType(), identityType()]), tupleType([shared, shared])),
    ).toBe(true);
  });

  it('meet each copy of a function, if sharing does not count', () => {
    const shared = identity();
    const options = { compareSharing: false };
    const apart = tuple([identity(), identity()]);
    expect(structuralEqual(tuple([shared, shared]), apart, options)).toBe(true);
    expect(structuralEqual(apart, tuple([shared, shared]), options)).toBe(true);
    expect(structuralEqual(apart, tuple([shared, shared]))).toBe(false);
  });

  it('do not leak out of an inner function type', () => {
    const a = typeVar('A');
    const inner = funcType([a], a, [a]);
    const build = (outer: typeof a) => funcType([inner, outer], outer, [outer]);
    expect(typeEqual(build(a), build(typeVar('B')))).toBe(true);
    const b = typeVar('B');
    const c = typeVar('C');
    expect(typeEqual(funcType([b, c], b, [b, c]), funcType([b, c], c, [b, c]))).toBe(false);
  });
});

describe('holes', () => {
  it('correspond one to one', () => {
    const [h, k] = [incompleteType(), incompleteType()];
    const other = incompleteType();
    expect(typeEqual(tupleType([h, k]), tupleType([incompleteType(), incompleteType()]))).toBe(
      true,
    );
    expect(typeEqual(tupleType([h, h]), tupleType([h, k]))).toBe(false);
    expect(typeEqual(tupleType([h, k]), tupleType([other, other]))).toBe(false);
    expect(typeEqual(h, scalarType('int32'))).toBe(false);
  });

  it('have the kind of their place', () => {
    const shape = tensorType(incompleteType('Shape'), 'int8');
    expect(typeEqual(shape, tensorType(incompleteType('Shape'), 'int8'))).toBe(true);
    expect(typeEqual(shape, tensorType([], 'int8'))).toBe(false);
  });
});

describe('free variables that are mapped', () => {
  it('keep their types', () => {
    const free = (type: 'int8' | 'int16') => variable('x', scalarType(type));
    const options = { mapFreeVars: true };
    expect(structuralEqual(free('int8'), free('int8'), options)).toBe(true);
    expect(structuralEqual(free('int8'), free('int16'), options)).toBe(false);
  });
});
