/**
 * What the holes of one definition stand for: union-find over holes of the four kinds.
 *
 * A hole has a level: how many function literals that are generalized on their own stand around
 * the place where it arose. Where two holes meet the lower level wins, so that a hole which the
 * surroundings know is never generalized inside them (D. Rémy, Extension of ML type system with a
 * sorted equation theory on types, 1992).
 */
import { postOrder } from '@baton/base';
import { bareAtom, type Dim } from '../types/dim.ts';
import { dimLeaves, mapDim, rebuildType, sameOr, type TypeParts } from '../types/parts.ts';
import {
  type DTypeTerm,
  isClosed,
  type Shape,
  scalarType,
  type TensorType,
  type Type,
  type TypeArg,
  tensorType,
  typeChildren,
} from '../types/type.ts';
import { type IncompleteType, incompleteType, type ParamKind } from '../types/variable.ts';

/** Holes and what they stand for. Grows only: a hole is bound once. */
export interface Substitution {
  /** The type, or what its hole stands for; its parts are left as they are. */
  readonly head: (type: Type) => Type;
  readonly dtype: (dtype: DTypeTerm) => DTypeTerm;
  readonly dim: (dim: Dim) => Dim;
  readonly shape: (shape: Shape) => Shape;
  /** The type with every bound hole replaced, however deep. */
  readonly resolve: (type: Type) => Type;
  /** `false` if the type mentions the hole: nothing can be both. */
  readonly bindType: (hole: IncompleteType, type: Type) => boolean;
  readonly bindDType: (hole: IncompleteType, dtype: DTypeTerm) => void;
  readonly bindDim: (hole: IncompleteType, dim: Dim) => void;
  readonly bindShape: (hole: IncompleteType, shape: Shape) => void;
  /** Visits the holes in a type that stand for nothing yet, in order of appearance. */
  readonly forEachHole: (type: Type, visit: (hole: IncompleteType) => void) => void;
  /** Every hole in the types that stands for nothing yet, in order of appearance. */
  readonly openHoles: (types: ReadonlyArray<Type>) => ReadonlySet<IncompleteType>;
  /** A new hole at this level. */
  readonly fresh: (kind: ParamKind, level: number) => IncompleteType;
  readonly levelOf: (hole: IncompleteType) => number;
  readonly setLevel: (hole: IncompleteType, level: number) => void;
  /** Forgets everything. */
  readonly clear: () => void;
}

/** The level of what belongs to a whole definition. */
export const OUTERMOST_LEVEL = 1;

/** The hole that a dimension is, if it is nothing else. */
export function bareHole(dim: Dim): IncompleteType | undefined {
  const atom = bareAtom(dim);
  return atom?._tag === 'IncompleteType' ? atom : undefined;
}

/** No hole stands for anything yet. `bound` is told of each hole that is. */
export function makeSubstitution(
  bound: (hole: IncompleteType, successor: IncompleteType | undefined) => void,
): Substitution {
  const types = new Map<IncompleteType, Type>();
  const dtypes = new Map<IncompleteType, DTypeTerm>();
  const dims = new Map<IncompleteType, Dim>();
  const shapes = new Map<IncompleteType, Shape>();
  // Only levels deeper than the outermost are written down.
  const levels = new Map<IncompleteType, number>();
  // What `resolve` has found since a hole was last bound.
  let resolved = new Map<Type, Type>();

  const head = (type: Type): Type => follow(types, type);
  const dtype = (term: DTypeTerm): DTypeTerm =>
    typeof term === 'string' ? term : follow(dtypes, term);

  const boundDim = (hole: IncompleteType): Dim | undefined => {
    const first = dims.get(hole);
    if (first === undefined) return undefined;
    let at = first;
    const passed = [hole];
    for (let next = bareHole(at); next !== undefined; next = bareHole(at)) {
      const further = dims.get(next);
      if (further === undefined) break;
      passed.push(next);
      at = further;
    }
    for (const one of passed) dims.set(one, at);
    return at;
  };
  const dim = (given: Dim): Dim => {
    if (dims.size === 0) return given;
    let current = given;
    // A hole may stand for an expression with holes that were bound later.
    for (;;) {
      const next = mapDim(current, (leaf) =>
        leaf._tag === 'IncompleteType' ? boundDim(leaf) : undefined,
      );
      if (next === current) return current;
      current = next;
    }
  };
  const shape = (given: Shape): Shape => {
    let at: Shape = given;
    while ('_tag' in at) {
      const next: Shape | undefined = at._tag === 'IncompleteType' ? shapes.get(at) : undefined;
      if (next === undefined) return at;
      at = next;
    }
    return dims.size === 0 ? at : sameOr(at, dim);
  };
  const tensor = (type: TensorType): TensorType => {
    const nextShape = shape(type.shape);
    const nextDType = dtype(type.dtype);
    if (nextShape === type.shape && nextDType === type.dtype) return type;
    const isScalar = !('_tag' in nextShape) && nextShape.length === 0;
    return isScalar ? scalarType(nextDType) : tensorType(nextShape, nextDType);
  };
  const headChildren = (type: Type): ReadonlyArray<Type> => typeChildren(type).map(head);
  const parts: TypeParts = {
    type: (part) => {
      const at = head(part);
      return resolved.get(at) ?? at;
    },
    shape,
    dtype,
    dim,
  };
  const unresolved = (type: Type): Type | undefined => {
    const at = head(type);
    return isClosed(at) || at._tag === 'IncompleteType' || resolved.has(at) ? undefined : at;
  };
  const resolve = (type: Type): Type => {
    const top = head(type);
    if (isClosed(top) || top._tag === 'IncompleteType') return top;
    if (top._tag === 'TensorType') return tensor(top);
    return resolved.get(top) ?? rebuildType(top, parts, resolved, unresolved);
  };
  const forEachHole = (type: Type, visit: (hole: IncompleteType) => void): void => {
    const top = head(type);
    if (isClosed(top)) return;
    if (top._tag === 'IncompleteType') visit(top);
    else if (top._tag === 'TensorType') visitTensorHoles(tensor(top), visit);
    else {
      for (const t of postOrder(headChildren, [top], isClosed)) {
        if (t._tag === 'IncompleteType') visit(t);
        else if (t._tag === 'TensorType') visitTensorHoles(tensor(t), visit);
        else if (t._tag === 'TypeCall') for (const arg of t.args) visitArgHoles(arg, parts, visit);
      }
    }
  };
  const openHoles = (roots: ReadonlyArray<Type>): ReadonlySet<IncompleteType> => {
    const holes = new Set<IncompleteType>();
    const add = (hole: IncompleteType): void => {
      holes.add(hole);
    };
    for (const root of roots) forEachHole(root, add);
    return holes;
  };

  const levelOf = (hole: IncompleteType): number => levels.get(hole) ?? OUTERMOST_LEVEL;
  const setLevel = (hole: IncompleteType, level: number): void => {
    if (level > OUTERMOST_LEVEL) levels.set(hole, level);
    else levels.delete(hole);
  };
  /**
   * What a hole comes to stand for is known wherever the hole is.
   *
   * @returns whether it mentions the hole itself.
   */
  const lower = (hole: IncompleteType, to: Type): boolean => {
    if (isClosed(to)) return false;
    const level = levelOf(hole);
    let occurs = false;
    forEachHole(to, (inner) => {
      if (inner === hole) occurs = true;
      else if (levels.size > 0 && levelOf(inner) > level) setLevel(inner, level);
    });
    return occurs;
  };
  const bind = <T>(map: Map<IncompleteType, T>, hole: IncompleteType, to: T): void => {
    map.set(hole, to);
    resolved = new Map();
  };

  return {
    head,
    dtype,
    dim,
    shape,
    resolve,
    bindType: (hole, to) => {
      if (lower(hole, to)) return false;
      bind(types, hole, to);
      bound(hole, to._tag === 'IncompleteType' ? to : undefined);
      return true;
    },
    bindDType: (hole, to) => {
      if (typeof to !== 'string') lower(hole, tensorType([], to));
      bind(dtypes, hole, to);
      bound(hole, typeof to !== 'string' && to._tag === 'IncompleteType' ? to : undefined);
    },
    bindDim: (hole, to) => {
      if (typeof to !== 'number') lower(hole, tensorType([to], 'bool'));
      bind(dims, hole, to);
      bound(hole, bareHole(to));
    },
    bindShape: (hole, to) => {
      lower(hole, tensorType(to, 'bool'));
      bind(shapes, hole, to);
      bound(hole, '_tag' in to && to._tag === 'IncompleteType' ? to : undefined);
    },
    forEachHole,
    openHoles,
    fresh: (kind, level) => {
      const hole = incompleteType(kind);
      if (level > OUTERMOST_LEVEL) levels.set(hole, level);
      return hole;
    },
    levelOf,
    setLevel,
    clear: () => {
      for (const map of [types, dtypes, dims, shapes, levels, resolved]) {
        if (map.size > 0) map.clear();
      }
    },
  };
}

type Visit = (hole: IncompleteType) => void;

function visitShapeHoles(shape: Shape, visit: Visit): void {
  if ('_tag' in shape) {
    if (shape._tag === 'IncompleteType') visit(shape);
  } else for (const dim of shape) visitDimHoles(dim, visit);
}

function visitDimHoles(dim: Dim, visit: Visit): void {
  if (typeof dim === 'number') return;
  for (const leaf of dimLeaves(dim)) if (leaf._tag === 'IncompleteType') visit(leaf);
}

function visitTensorHoles(type: TensorType, visit: Visit): void {
  visitShapeHoles(type.shape, visit);
  if (typeof type.dtype !== 'string' && type.dtype._tag === 'IncompleteType') visit(type.dtype);
}

function visitArgHoles(arg: TypeArg, parts: TypeParts, visit: Visit): void {
  if (arg.kind === 'Shape') visitShapeHoles(parts.shape(arg.value), visit);
  if (arg.kind === 'ShapeVar') visitDimHoles(parts.dim(arg.value), visit);
  if (arg.kind !== 'BaseType') return;
  const dtype = parts.dtype(arg.value);
  if (typeof dtype !== 'string' && dtype._tag === 'IncompleteType') visit(dtype);
}

/** Follows a chain of bound holes to its end, and shortens it on the way. */
function follow<T extends { readonly _tag: string } | string>(
  map: Map<IncompleteType, T>,
  start: T,
): T {
  const first = boundTo(map, start);
  if (first === undefined) return start;
  let end = first;
  for (let next = boundTo(map, end); next !== undefined; next = boundTo(map, end)) end = next;
  for (let at = start, next = first; next !== end; ) {
    map.set(at as unknown as IncompleteType, end);
    at = next;
    next = boundTo(map, at) ?? end;
  }
  return end;
}

/** What a hole is bound to: `undefined` for what is no hole, too. */
const boundTo = <T extends { readonly _tag: string } | string>(
  map: Map<IncompleteType, T>,
  at: T,
): T | undefined =>
  typeof at === 'string' || at._tag !== 'IncompleteType'
    ? undefined
    : // Holes are the only members of `T` with this tag.
      map.get(at as unknown as IncompleteType);
