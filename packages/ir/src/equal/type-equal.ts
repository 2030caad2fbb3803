/** Equality of types up to the names of type parameters. */
import { type Attrs, attrsEqual, noAttrs } from '../expr/attrs.ts';
import { type Dim, type DimAtom, type DimTerm, sameDim } from '../types/dim.ts';
import type { DTypeTerm, FuncType, Shape, Type, TypeArg, TypeRelation } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';
import { makeRenaming, type Renaming } from './renaming.ts';

/** A renaming of type parameters. */
export type TypeRenaming = Renaming<TypeVar>;

/** Whether two lists of type parameters have the same kinds; pairs them. */
export const pairTypeParams = (
  left: ReadonlyArray<TypeVar>,
  right: ReadonlyArray<TypeVar>,
  renaming: TypeRenaming,
): boolean =>
  left.length === right.length &&
  left.every((v, i) => {
    const w = right[i];
    return w !== undefined && v.kind === w.kind && renaming.pair(v, w);
  });

/**
 * Whether two types are equal; `renaming` pairs the type parameters that are in scope.
 *
 * **Complexity** linear in the distinct parts: a pair that has been compared is not compared again.
 */
export function typeEqual(
  left: Type,
  right: Type,
  renaming: TypeRenaming = makeRenaming(),
): boolean {
  const compared = new Map<Type, Set<Type>>();
  const pending: [Type, Type][] = [[left, right]];
  const later = (as: ReadonlyArray<Type>, bs: ReadonlyArray<Type>): boolean => {
    if (as.length !== bs.length) return false;
    as.forEach((a, i) => {
      pending.push([a, bs[i] as Type]);
    });
    return true;
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [a, b] = next;
    const known = compared.get(a);
    if (known?.has(b)) continue;
    if (known === undefined) compared.set(a, new Set([b]));
    else known.add(b);
    if (a._tag !== b._tag || a.hash !== b.hash || !sameHead(a, b, renaming, later)) return false;
  }
  return true;
}

type Later = (as: ReadonlyArray<Type>, bs: ReadonlyArray<Type>) => boolean;

function sameHead(a: Type, b: Type, renaming: TypeRenaming, later: Later): boolean {
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
      return b._tag === a._tag && sameFunc(a, b, renaming, later);
    case 'TypeVar':
      return b._tag === a._tag && sameTypeVar(a, b, renaming);
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
    case 'IncompleteType':
      return a === b;
  }
}

const sameFunc = (a: FuncType, b: FuncType, renaming: TypeRenaming, later: Later): boolean =>
  pairTypeParams(a.typeParams, b.typeParams, renaming) &&
  later([...a.params, a.result], [...b.params, b.result]) &&
  sameRelations(a.constraints, b.constraints, later);

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
      sameAttrs(relation.attrs, other.attrs) &&
      later(relation.args, other.args)
    );
  });

const sameAttrs = (a: Attrs | undefined, b: Attrs | undefined): boolean =>
  attrsEqual(a ?? noAttrs, b ?? noAttrs);

const sameTypeVar = (a: TypeVar, b: TypeVar, renaming: TypeRenaming): boolean => {
  const partner = renaming.partner(a);
  return partner === undefined ? a === b && !renaming.isPaired(b) : partner === b;
};

function sameDType(a: DTypeTerm, b: DTypeTerm, renaming: TypeRenaming): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  if (a._tag === 'TypeVar' && b._tag === 'TypeVar') return sameTypeVar(a, b, renaming);
  return a === b;
}

function sameShape(a: Shape, b: Shape, renaming: TypeRenaming): boolean {
  if ('_tag' in a || '_tag' in b) {
    if (!('_tag' in a) || !('_tag' in b)) return false;
    return a._tag === 'TypeVar' && b._tag === 'TypeVar' ? sameTypeVar(a, b, renaming) : a === b;
  }
  return a.length === b.length && a.every((dim, i) => sameDim(renamed(dim, renaming), b[i] as Dim));
}

/** A dimension of the left side in the variables of the right one. */
function renamed(dim: Dim, renaming: TypeRenaming): Dim {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return dim;
  const atom = (a: DimAtom): DimAtom => (a._tag === 'TypeVar' ? (renaming.partner(a) ?? a) : a);
  const term = (t: DimTerm): DimTerm => ({ ...t, atoms: t.atoms.map(atom) });
  return { ...dim, terms: dim.terms.map(term) };
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
      return b.kind === a.kind && sameDim(renamed(a.value, renaming), b.value);
  }
}
