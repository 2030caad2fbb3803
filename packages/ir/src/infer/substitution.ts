/**
 * What the holes of one definition stand for: union-find over holes of the four kinds.
 *
 * A hole has a level: how many function literals that are generalized on their own stand around
 * the place where it arose. Where two holes meet the lower level wins, so that a hole which the
 * surroundings know is never generalized inside them (D. Rémy, Extension of ML type system with a
 * sorted equation theory on types, 1992).
 */
import { postOrder } from '@baton/base';
import type { Dim } from '../types/dim.ts';
import { dimLeaves, mapDim, sameOr, type TypeParts, withTypeParts } from '../types/parts.ts';
import {
  type DTypeTerm,
  isClosed,
  type Shape,
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
  readonly bindType: (hole: IncompleteType, type: Type) => void;
  readonly bindDType: (hole: IncompleteType, dtype: DTypeTerm) => void;
  readonly bindDim: (hole: IncompleteType, dim: Dim) => void;
  readonly bindShape: (hole: IncompleteType, shape: Shape) => void;
  /** Every hole in the types that stands for nothing yet, in order of appearance. */
  readonly openHoles: (types: ReadonlyArray<Type>) => ReadonlySet<IncompleteType>;
  /** A new hole at this level. */
  readonly fresh: (kind: ParamKind, level: number) => IncompleteType;
  readonly levelOf: (hole: IncompleteType) => number;
  readonly setLevel: (hole: IncompleteType, level: number) => void;
}

/** The level of what belongs to a whole definition. */
export const OUTERMOST_LEVEL = 1;

/** The hole that a dimension is, if it is nothing else. */
export function bareHole(dim: Dim): IncompleteType | undefined {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return undefined;
  const [term] = dim.terms;
  if (dim.constant !== 0 || dim.terms.length !== 1 || term === undefined) return undefined;
  const [atom] = term.atoms;
  return term.coefficient === 1 && term.atoms.length === 1 && atom?._tag === 'IncompleteType'
    ? atom
    : undefined;
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
    return nextShape === type.shape && nextDType === type.dtype
      ? type
      : tensorType(nextShape, nextDType);
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
  const resolve = (type: Type): Type => {
    const top = head(type);
    if (top._tag === 'TensorType') return tensor(top);
    if (top._tag === 'IncompleteType' || isClosed(top)) return top;
    for (const t of postOrder(headChildren, [top], (below) => resolved.has(below))) {
      resolved.set(t, isClosed(t) ? t : withTypeParts(t, parts));
    }
    return resolved.get(top) ?? top;
  };
  const openHoles = (roots: ReadonlyArray<Type>): ReadonlySet<IncompleteType> => {
    const holes = new Set<IncompleteType>();
    for (const type of postOrder(headChildren, roots.map(head), isClosed)) {
      if (type._tag === 'IncompleteType') holes.add(type);
      else if (type._tag === 'TensorType') addTensorHoles(tensor(type), holes);
      else if (type._tag === 'TypeCall') {
        for (const arg of type.args) addArgHoles(arg, parts, holes);
      }
    }
    return holes;
  };

  const levelOf = (hole: IncompleteType): number => levels.get(hole) ?? OUTERMOST_LEVEL;
  const setLevel = (hole: IncompleteType, level: number): void => {
    if (level > OUTERMOST_LEVEL) levels.set(hole, level);
    else levels.delete(hole);
  };
  /** What a hole comes to stand for is known wherever the hole is. */
  const lower = (hole: IncompleteType, to: Type): void => {
    if (levels.size === 0) return;
    const level = levelOf(hole);
    for (const inner of openHoles([to])) if (levelOf(inner) > level) setLevel(inner, level);
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
      lower(hole, to);
      bind(types, hole, to);
      bound(hole, to._tag === 'IncompleteType' ? to : undefined);
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
    openHoles,
    fresh: (kind, level) => {
      const hole = incompleteType(kind);
      if (level > OUTERMOST_LEVEL) levels.set(hole, level);
      return hole;
    },
    levelOf,
    setLevel,
  };
}

function addShapeHoles(shape: Shape, holes: Set<IncompleteType>): void {
  if ('_tag' in shape) {
    if (shape._tag === 'IncompleteType') holes.add(shape);
  } else for (const dim of shape) addDimHoles(dim, holes);
}

function addDimHoles(dim: Dim, holes: Set<IncompleteType>): void {
  if (typeof dim === 'number') return;
  for (const leaf of dimLeaves(dim)) if (leaf._tag === 'IncompleteType') holes.add(leaf);
}

function addTensorHoles(type: TensorType, holes: Set<IncompleteType>): void {
  addShapeHoles(type.shape, holes);
  if (typeof type.dtype !== 'string' && type.dtype._tag === 'IncompleteType') holes.add(type.dtype);
}

function addArgHoles(arg: TypeArg, parts: TypeParts, holes: Set<IncompleteType>): void {
  if (arg.kind === 'Shape') addShapeHoles(parts.shape(arg.value), holes);
  if (arg.kind === 'ShapeVar') addDimHoles(parts.dim(arg.value), holes);
  if (arg.kind !== 'BaseType') return;
  const dtype = parts.dtype(arg.value);
  if (typeof dtype !== 'string' && dtype._tag === 'IncompleteType') holes.add(dtype);
}

/** Follows a chain of bound holes to its end, and shortens it on the way. */
function follow<T extends { readonly _tag: string } | string>(
  map: Map<IncompleteType, T>,
  start: T,
): T {
  const isHole = (t: T): boolean => typeof t !== 'string' && t._tag === 'IncompleteType';
  if (!isHole(start)) return start;
  const passed: IncompleteType[] = [];
  let at = start;
  while (isHole(at)) {
    // Holes are the only members of `T` with this tag.
    const hole = at as unknown as IncompleteType;
    const next = map.get(hole);
    if (next === undefined) break;
    passed.push(hole);
    at = next;
  }
  for (const hole of passed.slice(0, -1)) map.set(hole, at);
  return at;
}
