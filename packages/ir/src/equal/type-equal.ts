/** Equality of types up to the names of type parameters. */
import { memoFold } from '@baton/base';
import { type Attrs, attrsEqual, noAttrs } from '../types/attrs.ts';
import type { Dim, DimAtom, DimTerm } from '../types/dim.ts';
import { sameType } from '../types/same-type.ts';
import {
  type DTypeTerm,
  type FuncType,
  type Shape,
  type Type,
  type TypeArg,
  type TypeRelation,
  typeChildren,
} from '../types/type.ts';
import type { IncompleteType, TypeVar } from '../types/variable.ts';
import { makePairSet } from './pair-set.ts';
import { makeRenaming, type Renaming } from './renaming.ts';

export type TypeRenaming = Renaming<TypeVar | IncompleteType>;

/** Pairs the type parameters of two lists, and returns the undo; `undefined` if kinds differ. */
export function pairTypeParams(
  left: ReadonlyArray<TypeVar>,
  right: ReadonlyArray<TypeVar>,
  renaming: TypeRenaming,
): (() => void) | undefined {
  if (left.length !== right.length) return undefined;
  if (!left.every((v, i) => v.kind === right[i]?.kind)) return undefined;
  const undo = left.map((v, i) => renaming.bind(v, right[i] as TypeVar));
  return () => {
    for (const step of undo.reverse()) step();
  };
}

/**
 * Whether two types are equal: type parameters up to their names, algebraic data types by name,
 * holes one to one. `given` pairs the type parameters in scope.
 *
 * **Complexity** linear in the distinct parts: each pair is compared once, and equal pairs without
 * variables are remembered across calls, since the types along a chain of tuples contain each
 * other.
 */
export function typeEqual(left: Type, right: Type, given?: TypeRenaming): boolean {
  if (left.hash !== right.hash) return false;
  // Most types are of tensors: without a renaming, the same tensors need no record of pairs.
  if (given === undefined && left._tag === 'TensorType' && sameType(left, right)) return true;
  const renaming = given ?? makeRenaming();
  const compared = makePairSet<Type>();
  const pending: ([Type, Type] | (() => void))[] = [[left, right]];
  const later: Later = (as, bs) => {
    if (as.length !== bs.length) return false;
    as.forEach((a, i) => {
      pending.push([a, bs[i] as Type]);
    });
    return true;
  };
  const inScope = (undo: () => void): void => {
    pending.push(undo);
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'function') {
      next();
      continue;
    }
    const [a, b] = next;
    if (foundEqual.get(a)?.has(b) === true) continue;
    if (!compared.add(a, b)) continue;
    if (a._tag !== b._tag || a.hash !== b.hash || !sameHead(a, b, renaming, later, inScope)) {
      return false;
    }
  }
  compared.forEach(remember);
  return true;
}

/** Equal pairs of types without variables, under any renaming. */
const foundEqual = new WeakMap<Type, WeakSet<Type>>();

function remember(a: Type, b: Type): void {
  if (typeChildren(a).length === 0 || !isGround(a) || !isGround(b)) return;
  const others = foundEqual.get(a);
  if (others === undefined) foundEqual.set(a, new WeakSet([b]));
  else others.add(b);
}

/** Whether a type consists only of tuples, references and tensors, without variables or holes. */
const isGround: (type: Type) => boolean = memoFold<Type, boolean>(typeChildren, (type, get) => {
  if (type._tag === 'TupleType' || type._tag === 'RefType') return typeChildren(type).every(get);
  if (type._tag !== 'TensorType' || typeof type.dtype !== 'string') return false;
  return !('_tag' in type.shape) && type.shape.every((dim) => typeof dim === 'number');
});

type Later = (as: ReadonlyArray<Type>, bs: ReadonlyArray<Type>) => boolean;

function sameHead(
  a: Type,
  b: Type,
  renaming: TypeRenaming,
  later: Later,
  inScope: (undo: () => void) => void,
): boolean {
  switch (a._tag) {
    case 'TensorType':
      return (
        b._tag === a._tag &&
        sameDType(a.dtype, b.dtype, renaming) &&
        sameShape(a.shape, b.shape, renaming)
      );
    case 'TupleType':
      return b._tag === a._tag && later(a.fields, b.fields);
    case 'FuncType':
      return b._tag === a._tag && sameFunc(a, b, renaming, later, inScope);
    case 'TypeVar':
    case 'IncompleteType':
      return (b._tag === 'TypeVar' || b._tag === 'IncompleteType') && sameVariable(a, b, renaming);
    case 'GlobalTypeVar':
      return b._tag === a._tag && a.nameHint === b.nameHint;
    case 'TypeCall':
      return (
        b._tag === a._tag &&
        a.func.nameHint === b.func.nameHint &&
        a.args.length === b.args.length &&
        a.args.every((arg, i) => sameTypeArg(arg, b.args[i] as TypeArg, renaming, later))
      );
    case 'RefType':
      return b._tag === a._tag && later([a.value], [b.value]);
  }
}

function sameFunc(
  a: FuncType,
  b: FuncType,
  renaming: TypeRenaming,
  later: Later,
  inScope: (undo: () => void) => void,
): boolean {
  const undo = pairTypeParams(a.typeParams, b.typeParams, renaming);
  if (undo === undefined) return false;
  // Pairs pushed after this are compared before it.
  inScope(undo);
  return (
    later([...a.params, a.result], [...b.params, b.result]) &&
    sameRelations(a.constraints, b.constraints, later)
  );
}

/** Whether two lists of constraints name the same relations; their arguments are left to `later`. */
export const sameRelations = (
  a: ReadonlyArray<TypeRelation>,
  b: ReadonlyArray<TypeRelation>,
  later: Later,
): boolean =>
  a.length === b.length &&
  a.every((relation, i) => {
    const other = b[i] as TypeRelation;
    return (
      relation.name === other.name &&
      relation.inputCount === other.inputCount &&
      sameAttrs(relation.attrs, other.attrs) &&
      later(relation.args, other.args)
    );
  });

const sameAttrs = (a: Attrs | undefined, b: Attrs | undefined): boolean =>
  attrsEqual(a ?? noAttrs, b ?? noAttrs);

type Variable = TypeVar | IncompleteType;

/** Compares bound parameters by their binders, free ones by identity, and holes one to one. */
function sameVariable(a: Variable, b: Variable, renaming: TypeRenaming): boolean {
  if (a._tag !== b._tag) return false;
  const known = renaming.arePaired(a, b);
  if (known !== undefined) return known;
  return a._tag === 'TypeVar' ? a === b : renaming.meet(a, b) !== 'clash';
}

function sameDType(a: DTypeTerm, b: DTypeTerm, renaming: TypeRenaming): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return sameVariable(a, b, renaming);
}

function sameShape(a: Shape, b: Shape, renaming: TypeRenaming): boolean {
  if ('_tag' in a || '_tag' in b) {
    return '_tag' in a && '_tag' in b && sameVariable(a, b, renaming);
  }
  return a.length === b.length && a.every((dim, i) => sameDimUnder(dim, b[i] as Dim, renaming));
}

/** The depth is the nesting of divisions in a dimension. */
function sameDimUnder(a: Dim, b: Dim, renaming: TypeRenaming): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  if (a._tag === 'AnyDim' || b._tag === 'AnyDim') return a._tag === b._tag;
  const sameAtom = (x: DimAtom, y: DimAtom): boolean => {
    if (x._tag !== 'DimQuotient') return y._tag !== 'DimQuotient' && sameVariable(x, y, renaming);
    return (
      y._tag === 'DimQuotient' &&
      sameDimUnder(x.numerator, y.numerator, renaming) &&
      sameDimUnder(x.denominator, y.denominator, renaming)
    );
  };
  const sameTerm = (t: DimTerm, u: DimTerm): boolean =>
    t.coefficient === u.coefficient && matchAll(t.atoms, u.atoms, sameAtom);
  return a.constant === b.constant && matchAll(a.terms, b.terms, sameTerm);
}

/** Whether two lists hold equal things in some order. */
function matchAll<A>(
  a: ReadonlyArray<A>,
  b: ReadonlyArray<A>,
  equal: (x: A, y: A) => boolean,
): boolean {
  if (a.length !== b.length) return false;
  const rest = [...b];
  return a.every((x) => {
    const at = rest.findIndex((y) => equal(x, y));
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}

/** Whether two type arguments are equal; types in them are left to `later`. */
export function sameTypeArg(a: TypeArg, b: TypeArg, renaming: TypeRenaming, later: Later): boolean {
  switch (a.kind) {
    case 'Type':
      return b.kind === a.kind && later([a.value], [b.value]);
    case 'Shape':
      return b.kind === a.kind && sameShape(a.value, b.value, renaming);
    case 'BaseType':
      return b.kind === a.kind && sameDType(a.value, b.value, renaming);
    case 'ShapeVar':
      return b.kind === a.kind && sameDimUnder(a.value, b.value, renaming);
  }
}
