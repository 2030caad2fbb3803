/** Types without holes: when one is closed, and when two are the same. */
import { postOrder } from '@baton/base';
import type { Dim } from '../types/dim.ts';
import { sameDim } from '../types/dim.ts';
import type { DTypeTerm, Shape, Type, TypeArg, TypeRelation } from '../types/type.ts';
import { typeChildren } from '../types/type.ts';

/** Whether a type mentions no hole at all. */
export type IsClosed = (type: Type) => boolean;

/** A test for closed types that remembers what it has seen. **Complexity** amortized O(1). */
export function makeIsClosed(): IsClosed {
  const known = new WeakMap<Type, boolean>();
  const closedBelow = (type: Type): boolean =>
    ownPartsClosed(type) && typeChildren(type).every((child) => known.get(child) === true);
  return (type) => {
    if (isLeaf(type)) return ownPartsClosed(type);
    const old = known.get(type);
    if (old !== undefined) return old;
    for (const t of postOrder(typeChildren, [type], (below) => known.has(below))) {
      known.set(t, closedBelow(t));
    }
    return known.get(type) === true;
  };
}

/** Whether a dimension mentions no hole. */
export function isClosedDim(dim: Dim): boolean {
  if (typeof dim === 'number') return true;
  const pending: Dim[] = [dim];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' || next._tag === 'AnyDim') continue;
    for (const term of next.terms) {
      for (const atom of term.atoms) {
        if (atom._tag === 'IncompleteType') return false;
        if (atom._tag === 'DimQuotient') pending.push(atom.numerator, atom.denominator);
      }
    }
  }
  return true;
}

/**
 * Whether two closed types are the same, `?` being the same as `?`, and type variables by
 * identity. **Complexity** linear in the pairs of distinct nodes that face each other.
 */
export function sameType(a: Type, b: Type): boolean {
  const seen = new Map<Type, Set<Type>>();
  const pending: [Type, Type][] = [[a, b]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (left.hash !== right.hash || !sameOwnParts(left, right)) return false;
    const others = seen.get(left) ?? new Set();
    if (others.has(right)) continue;
    seen.set(left, others.add(right));
    const rights = typeChildren(right);
    const lefts = typeChildren(left);
    if (lefts.length !== rights.length) return false;
    lefts.forEach((child, i) => {
      pending.push([child, rights[i] as Type]);
    });
  }
  return true;
}

const isLeaf = (type: Type): boolean =>
  type._tag === 'TensorType' ||
  type._tag === 'IncompleteType' ||
  type._tag === 'TypeVar' ||
  type._tag === 'GlobalTypeVar';

const isClosedShape = (shape: Shape): boolean =>
  '_tag' in shape ? shape._tag !== 'IncompleteType' : shape.every(isClosedDim);

const isClosedDType = (dtype: DTypeTerm): boolean =>
  typeof dtype === 'string' || dtype._tag !== 'IncompleteType';

function isClosedArg(arg: TypeArg): boolean {
  switch (arg.kind) {
    case 'Type':
      return true;
    case 'Shape':
      return isClosedShape(arg.value);
    case 'BaseType':
      return isClosedDType(arg.value);
    case 'ShapeVar':
      return isClosedDim(arg.value);
  }
}

/** What of a type is not below it: shapes, dtypes, and arguments that are not types. */
function ownPartsClosed(type: Type): boolean {
  switch (type._tag) {
    case 'TensorType':
      return isClosedShape(type.shape) && isClosedDType(type.dtype);
    case 'IncompleteType':
      return false;
    case 'TypeCall':
      return type.args.every(isClosedArg);
    default:
      return true;
  }
}

function sameShapeTerm(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  if ('_tag' in a || '_tag' in b) return false;
  return a.length === b.length && a.every((dim, i) => sameDim(dim, b[i] as Dim));
}

function sameArg(a: TypeArg, b: TypeArg): boolean {
  if (a.kind === 'Type') return b.kind === 'Type';
  if (a.kind === 'Shape') return b.kind === 'Shape' && sameShapeTerm(a.value, b.value);
  if (a.kind === 'BaseType') return b.kind === 'BaseType' && a.value === b.value;
  return b.kind === 'ShapeVar' && sameDim(a.value, b.value);
}

const sameRelationHead = (a: TypeRelation, b: TypeRelation): boolean =>
  a.name === b.name && a.inputCount === b.inputCount && a.args.length === b.args.length;

function sameOwnParts(a: Type, b: Type): boolean {
  if (a._tag === 'TensorType' && b._tag === 'TensorType') {
    return a.dtype === b.dtype && sameShapeTerm(a.shape, b.shape);
  }
  if (a._tag === 'TupleType' && b._tag === 'TupleType') return a.fields.length === b.fields.length;
  if (a._tag === 'RefType' && b._tag === 'RefType') return true;
  if (a._tag === 'FuncType' && b._tag === 'FuncType') {
    return (
      a.params.length === b.params.length &&
      a.typeParams.length === b.typeParams.length &&
      a.typeParams.every((v, i) => v === b.typeParams[i]) &&
      a.constraints.length === b.constraints.length &&
      a.constraints.every((c, i) => sameRelationHead(c, b.constraints[i] as TypeRelation))
    );
  }
  if (a._tag === 'TypeCall' && b._tag === 'TypeCall') {
    return (
      a.func === b.func &&
      a.args.length === b.args.length &&
      a.args.every((arg, i) => sameArg(arg, b.args[i] as TypeArg))
    );
  }
  return false;
}
