/** Unification of types: types.md §3.1. `?` is gradual, holes are filled. */
import { postOrder } from '@baton/base';
import type { Constant } from '../expr/expr.ts';
import { anyDim, type Dim, dimsEqual, isAnyDim, sameDim } from '../types/dim.ts';
import {
  type DTypeTerm,
  type FuncType,
  funcType,
  refType,
  type Shape,
  type TensorType,
  type Type,
  tensorType,
  tupleType,
  typeChildren,
} from '../types/type.ts';
import type { IncompleteType } from '../types/variable.ts';
import { sameType } from './closed.ts';
import { describeDim, describeDType } from './describe.ts';
import { canHold, classAllows } from './literals.ts';
import { bareHole, type Substitution } from './substitution.ts';

/** Why two types do not unify. */
type UnifyFailure =
  /** They differ; `notes` say where. */
  | { readonly _tag: 'Mismatch'; readonly notes: ReadonlyArray<string> }
  /** A type would have to contain itself. */
  | { readonly _tag: 'Infinite' }
  /** A literal's value does not fit the dtype that is demanded of it. */
  | { readonly _tag: 'Range'; readonly literal: Constant; readonly dtype: string };

/** Unification under one substitution. Each operation gives the merged term, or `undefined`. */
export interface Unifier {
  readonly types: (a: Type, b: Type) => Type | undefined;
  readonly dtypes: (a: DTypeTerm, b: DTypeTerm) => DTypeTerm | undefined;
  /** Why the latest operation gave `undefined`. */
  readonly failure: () => UnifyFailure;
  /** States that the hole is the dtype of a literal. */
  readonly addLiteral: (hole: IncompleteType, literal: Constant) => void;
  /** The literals whose dtype the hole is. */
  readonly literalsOf: (hole: IncompleteType) => ReadonlyArray<Constant>;
}

/** Two compound types whose parts are being unified. */
interface Frame {
  readonly a: Type;
  readonly b: Type;
  readonly left: ReadonlyArray<Type>;
  readonly right: ReadonlyArray<Type>;
  readonly merged: Type[];
}

/** A unifier that binds holes in `subst`. */
export function makeUnifier(subst: Substitution): Unifier {
  const literals = new Map<IncompleteType, Constant[]>();
  let failure: UnifyFailure = { _tag: 'Mismatch', notes: [] };

  const mismatch = (...notes: string[]): undefined => {
    failure = { _tag: 'Mismatch', notes };
    return undefined;
  };

  const literalsOf = (hole: IncompleteType): Constant[] => literals.get(hole) ?? [];
  const bindLiteral = (hole: IncompleteType, dtype: string): boolean => {
    if (hole.literal !== undefined) {
      if (!classAllows(hole.literal, dtype)) {
        mismatch(`a literal without suffix cannot be ${dtype}`);
        return false;
      }
      const literal = literalsOf(hole).find((l) => !canHold(dtype, l));
      if (literal !== undefined) {
        failure = { _tag: 'Range', literal, dtype };
        return false;
      }
    }
    subst.bindDType(hole, dtype as DTypeTerm);
    return true;
  };
  const joinHoles = (a: IncompleteType, b: IncompleteType): IncompleteType => {
    // The narrower class wins: `1 + 2.5` is a float.
    const keepB = b.literal === 'float' || a.literal === undefined;
    const [from, to] = keepB ? [a, b] : [b, a];
    const [few, many] = [literalsOf(from), literalsOf(to)].sort((x, y) => x.length - y.length);
    if (few !== undefined && many !== undefined && few.length > 0) {
      many.push(...few);
      literals.set(to, many);
    } else if (many !== undefined && many.length > 0) literals.set(to, many);
    subst.bindDType(from, to);
    return to;
  };
  const dtypes = (a0: DTypeTerm, b0: DTypeTerm): DTypeTerm | undefined => {
    const a = subst.dtype(a0);
    const b = subst.dtype(b0);
    if (a === b) return a;
    const holeA = typeof a !== 'string' && a._tag === 'IncompleteType' ? a : undefined;
    const holeB = typeof b !== 'string' && b._tag === 'IncompleteType' ? b : undefined;
    if (holeA !== undefined && holeB !== undefined) return joinHoles(holeA, holeB);
    const hole = holeA ?? holeB;
    if (hole === undefined)
      return mismatch(`dtypes differ: ${describeDType(a)} and ${describeDType(b)}`);
    const other = holeA === undefined ? a : b;
    if (typeof other === 'string') return bindLiteral(hole, other) ? other : undefined;
    if (hole.literal !== undefined) return mismatch('a literal has no dtype of a type parameter');
    subst.bindDType(hole, other);
    return other;
  };

  const dims = (a0: Dim, b0: Dim): Dim | undefined => {
    const a = subst.dim(a0);
    const b = subst.dim(b0);
    const hole = bareHole(a);
    const other = bareHole(b);
    if (hole !== undefined) {
      if (hole !== other) subst.bindDim(hole, b);
      return b;
    }
    if (other !== undefined) {
      subst.bindDim(other, a);
      return a;
    }
    if (isAnyDim(a) || isAnyDim(b)) return anyDim;
    return dimsEqual(a, b) ? a : undefined;
  };
  const shapes = (a0: Shape, b0: Shape): Shape | undefined => {
    const a = subst.shape(a0);
    const b = subst.shape(b0);
    if (a === b) return a;
    if ('_tag' in a && a._tag === 'IncompleteType') {
      subst.bindShape(a, b);
      return b;
    }
    if ('_tag' in b && b._tag === 'IncompleteType') {
      subst.bindShape(b, a);
      return a;
    }
    if ('_tag' in a || '_tag' in b) return mismatch('shapes differ');
    if (a.length !== b.length) return mismatch(`ranks differ: ${a.length} and ${b.length}`);
    const merged = a.map((dim, i) => dims(dim, b[i] as Dim));
    const notes = merged.flatMap((dim, i) =>
      dim === undefined
        ? [
            `dimension ${i} conflicts: ${describeDim(a[i] as Dim)} does not match ${describeDim(b[i] as Dim)}`,
          ]
        : [],
    );
    return notes.length > 0 ? mismatch(...notes) : (merged as ReadonlyArray<Dim>);
  };
  const tensors = (a: TensorType, b: TensorType): Type | undefined => {
    const shape = shapes(a.shape, b.shape);
    const notes = shape === undefined && failure._tag === 'Mismatch' ? failure.notes : [];
    const dtype = dtypes(a.dtype, b.dtype);
    if (dtype === undefined && failure._tag === 'Mismatch') mismatch(...notes, ...failure.notes);
    if (shape === undefined || dtype === undefined) return undefined;
    if (isTensorOf(a, shape, dtype)) return a;
    return isTensorOf(b, shape, dtype) ? b : tensorType(shape, dtype);
  };

  const fill = (hole: IncompleteType, type: Type): Type | undefined => {
    if (occurs(hole, type, subst)) {
      failure = { _tag: 'Infinite' };
      return undefined;
    }
    subst.bindType(hole, type);
    return type;
  };
  /** The merged type, a frame if the parts must be unified first, or `undefined`. */
  const open = (a0: Type, b0: Type): Type | Frame | undefined => {
    const a = subst.head(a0);
    const b = subst.head(b0);
    if (a === b) return a;
    if (a._tag === 'IncompleteType') return fill(a, b);
    if (b._tag === 'IncompleteType') return fill(b, a);
    if (a._tag === 'TensorType' && b._tag === 'TensorType') return tensors(a, b);
    if (sameHead(a, b)) {
      return { a, b, left: typeChildren(a), right: typeChildren(b), merged: [] };
    }
    return subst.isClosed(a) && subst.isClosed(b) && sameType(a, b) ? a : mismatch();
  };
  const types = (a: Type, b: Type): Type | undefined => {
    const frames: Frame[] = [];
    const done = new Map<Type, Map<Type, Type>>();
    const enter = (x: Type, y: Type): Type | 'entered' | undefined => {
      const found = open(x, y);
      if (found === undefined || '_tag' in found) return found;
      const old = done.get(found.a)?.get(found.b);
      if (old !== undefined) return old;
      frames.push(found);
      return 'entered';
    };
    let value = enter(a, b);
    for (let top = frames.at(-1); top !== undefined; top = frames.at(-1)) {
      if (value === undefined) return undefined;
      if (value !== 'entered') top.merged.push(value);
      const at = top.merged.length;
      if (at < top.left.length) {
        value = enter(top.left[at] as Type, top.right[at] as Type);
        continue;
      }
      frames.pop();
      value = mergeParts(top);
      const others = done.get(top.a) ?? new Map<Type, Type>();
      done.set(top.a, others.set(top.b, value));
    }
    return value === 'entered' ? undefined : value;
  };

  return {
    types,
    dtypes,
    failure: () => failure,
    addLiteral: (hole, literal) => {
      literals.set(hole, [literal]);
    },
    literalsOf,
  };
}

const isTensorOf = (t: TensorType, shape: Shape, dtype: DTypeTerm): boolean => {
  if (t.dtype !== dtype) return false;
  if (t.shape === shape) return true;
  if ('_tag' in t.shape || '_tag' in shape) return false;
  return t.shape.length === shape.length && t.shape.every((d, i) => sameDim(d, shape[i] as Dim));
};

/** Whether both are built alike, so that they unify if their parts do. */
function sameHead(a: Type, b: Type): boolean {
  if (a._tag === 'TupleType' && b._tag === 'TupleType') return a.fields.length === b.fields.length;
  if (a._tag === 'RefType' && b._tag === 'RefType') return true;
  if (a._tag === 'FuncType' && b._tag === 'FuncType') {
    return a.params.length === b.params.length && isMonomorphic(a) && isMonomorphic(b);
  }
  return false;
}

const isMonomorphic = (type: FuncType): boolean =>
  type.typeParams.length === 0 && type.constraints.length === 0;

/** The compound type with merged parts; one of the two, if it has just these. */
function mergeParts(frame: Frame): Type {
  const { a, b, left, right, merged } = frame;
  if (merged.every((part, i) => part === left[i])) return a;
  if (merged.every((part, i) => part === right[i])) return b;
  switch (a._tag) {
    case 'TupleType':
      return tupleType(merged);
    case 'RefType':
      return refType(merged[0] as Type);
    case 'FuncType':
      return funcType(merged.slice(0, -1), merged[merged.length - 1] as Type);
    default:
      return a;
  }
}

function occurs(hole: IncompleteType, type: Type, subst: Substitution): boolean {
  if (type._tag === 'TensorType' || type._tag === 'IncompleteType' || subst.isClosed(type)) {
    return false;
  }
  const below = (t: Type): ReadonlyArray<Type> => typeChildren(t).map(subst.head);
  return postOrder(below, [type], subst.isClosed).includes(hole);
}
