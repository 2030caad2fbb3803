/** Rebuilding a type from other parts, one level at a time. */
import { memoFold } from '@baton/base';
import { addDims, anyDim, type Dim, type DimAtom, dimOf, divideDims, multiplyDims } from './dim.ts';
import {
  type DTypeTerm,
  funcType,
  pushTypeChildren,
  refType,
  type Shape,
  type Type,
  type TypeArg,
  type TypeRelation,
  tensorType,
  tupleType,
  typeCall,
  typeChildren,
  typeRelation,
} from './type.ts';
import type { IncompleteType, TypeVar } from './variable.ts';

export interface TypeParts {
  readonly type: (type: Type) => Type;
  readonly shape: (shape: Shape) => Shape;
  readonly dtype: (dtype: DTypeTerm) => DTypeTerm;
  readonly dim: (dim: Dim) => Dim;
  /** The replacement of a type parameter that a function type binds; it stays by default. */
  readonly binder?: (variable: TypeVar) => TypeVar;
}

/** The type with other parts; itself if they are the same. Variables and holes have no parts. */
export function withTypeParts(type: Type, parts: TypeParts): Type {
  switch (type._tag) {
    case 'TensorType': {
      const shape = parts.shape(type.shape);
      const dtype = parts.dtype(type.dtype);
      return shape === type.shape && dtype === type.dtype ? type : tensorType(shape, dtype);
    }
    case 'TupleType': {
      const fields = sameOr(type.fields, parts.type);
      return fields === type.fields ? type : tupleType(fields);
    }
    case 'FuncType': {
      const params = sameOr(type.params, parts.type);
      const result = parts.type(type.result);
      const constraints = sameOr(type.constraints, (c) => withRelationParts(c, parts));
      const typeParams =
        parts.binder === undefined ? type.typeParams : sameOr(type.typeParams, parts.binder);
      const isSame =
        params === type.params &&
        result === type.result &&
        constraints === type.constraints &&
        typeParams === type.typeParams;
      return isSame ? type : funcType(params, result, typeParams, constraints);
    }
    case 'RefType': {
      const value = parts.type(type.value);
      return value === type.value ? type : refType(value);
    }
    case 'TypeCall': {
      const args = sameOr(type.args, (arg) => withArgParts(arg, parts));
      return args === type.args ? type : typeCall(type.func, args);
    }
    case 'TypeVar':
    case 'GlobalTypeVar':
    case 'IncompleteType':
      return type;
  }
}

/**
 * Rebuilds a type from the leaves up: `parts` replaces the parts of a type, and finds the rebuilt
 * compound types below in `known`. `unknown` names a part that must be rebuilt first, if there is
 * one.
 *
 * **Complexity** linear in the distinct types below that are rebuilt.
 */
export function rebuildType(
  root: Type,
  parts: TypeParts,
  known: Map<Type, Type>,
  unknown: (part: Type) => Type | undefined,
): Type {
  const open: Type[] = [root];
  for (let top: Type | undefined = root; top !== undefined; top = open[open.length - 1]) {
    if (!known.has(top)) {
      const count = open.length;
      pushTypeChildren(top, open, unknown);
      if (open.length > count) continue;
      known.set(top, withTypeParts(top, parts));
    }
    open.pop();
  }
  return known.get(root) as Type;
}

/**
 * Types with other shapes, dtypes or dimensions at any depth; an unchanged type stays the same
 * object.
 *
 * **Complexity** linear in the distinct types below, each visited once.
 */
export function mappedTypes(leaves: Partial<Omit<TypeParts, 'type'>>): TypeParts {
  const stays = <A>(part: A): A => part;
  const parts = { shape: stays, dtype: stays, dim: stays, ...leaves };
  const type = memoFold<Type, Type>(typeChildren, (old, get) =>
    withTypeParts(old, { ...parts, type: get }),
  );
  return { ...parts, type };
}

/** The constraint with other arguments; the same object if they are the same objects. */
export function withRelationParts(relation: TypeRelation, parts: TypeParts): TypeRelation {
  const args = sameOr(relation.args, parts.type);
  return args === relation.args
    ? relation
    : typeRelation(relation.name, args, relation.inputCount, relation.attrs);
}

/** The type argument with another value; the same object if it is the same. */
export function withArgParts(arg: TypeArg, parts: TypeParts): TypeArg {
  switch (arg.kind) {
    case 'Type': {
      const value = parts.type(arg.value);
      return value === arg.value ? arg : { _tag: 'TypeArg', kind: arg.kind, value };
    }
    case 'Shape': {
      const value = parts.shape(arg.value);
      return value === arg.value ? arg : { _tag: 'TypeArg', kind: arg.kind, value };
    }
    case 'BaseType': {
      const value = parts.dtype(arg.value);
      return value === arg.value ? arg : { _tag: 'TypeArg', kind: arg.kind, value };
    }
    case 'ShapeVar': {
      const value = parts.dim(arg.value);
      return value === arg.value ? arg : { _tag: 'TypeArg', kind: arg.kind, value };
    }
  }
}

/** The results of `change`; the list itself if nothing changed. */
export function sameOr<A>(list: ReadonlyArray<A>, change: (item: A) => A): ReadonlyArray<A> {
  let next: A[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const old = list[i] as A;
    const item = change(old);
    if (item === old) continue;
    next ??= list.slice();
    next[i] = item;
  }
  return next ?? list;
}

/**
 * The dimension with variables and holes replaced by `leaf`; the dimension itself if it mentions
 * none of them. A division that is no longer exact gives `?`.
 *
 * Recursion is over divisions, which nest at most `MAX_QUOTIENT_DEPTH` deep.
 */
export function mapDim(dim: Dim, leaf: (atom: TypeVar | IncompleteType) => Dim | undefined): Dim {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return dim;
  const replaced = new Map<DimAtom, Dim>();
  for (const term of dim.terms) {
    for (const atom of term.atoms) {
      const next = mapAtom(atom, leaf);
      if (next !== undefined) replaced.set(atom, next);
    }
  }
  if (replaced.size === 0) return dim;
  let sum: Dim = dim.constant;
  for (const term of dim.terms) {
    let product: Dim = term.coefficient;
    for (const atom of term.atoms) {
      product = multiplyDims(product, replaced.get(atom) ?? dimOf(atom));
    }
    sum = addDims(sum, product);
  }
  return sum;
}

function mapAtom(
  atom: DimAtom,
  leaf: (atom: TypeVar | IncompleteType) => Dim | undefined,
): Dim | undefined {
  if (atom._tag !== 'DimQuotient') return leaf(atom);
  const numerator = mapDim(atom.numerator, leaf);
  const denominator = mapDim(atom.denominator, leaf);
  if (numerator === atom.numerator && denominator === atom.denominator) return undefined;
  return divideDims(numerator, denominator) ?? anyDim;
}

/** The variables and holes of a dimension, each once, left to right. */
export function dimLeaves(dim: Dim): ReadonlyArray<TypeVar | IncompleteType> {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return [];
  const leaves = new Set<TypeVar | IncompleteType>();
  const pending: Dim[] = [dim];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' || next._tag === 'AnyDim') continue;
    for (const term of next.terms) {
      for (const atom of term.atoms) {
        if (atom._tag === 'DimQuotient') pending.push(atom.denominator, atom.numerator);
        else leaves.add(atom);
      }
    }
  }
  return [...leaves];
}
