/** The free type parameters of types. */
import { dimLeaves } from './parts.ts';
import {
  type FuncType,
  mentionsTypeVars,
  type Shape,
  type Type,
  type TypeArg,
  typeChildren,
} from './type.ts';
import type { IncompleteType, TypeVar } from './variable.ts';

/**
 * The free type parameters of the types, in order of appearance.
 *
 * **Complexity** linear in the distinct types below that mention type parameters; a type below several
 * binders of parameters is visited once for each of them, and a binder once.
 */
export function freeTypeVarsOf(types: ReadonlyArray<Type>): ReadonlyArray<TypeVar> {
  const generic = types.filter(mentionsTypeVars);
  const [only] = generic;
  if (only === undefined) return [];
  return generic.length === 1 && only._tag === 'TypeVar' ? [only] : collected(generic);
}

/** The free type parameters of a binder's parts, while they are found. */
interface Inside {
  readonly free: Set<TypeVar>;
  readonly seen: Set<Type>;
}

function collected(types: ReadonlyArray<Type>): ReadonlyArray<TypeVar> {
  // What is free in a binder does not depend on its surroundings: each is looked into once.
  const known = new Map<FuncType, ReadonlyArray<TypeVar>>();
  let inside: Inside = { free: new Set(), seen: new Set() };
  const pending: (Type | (() => void))[] = [...types].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'function') {
      next();
      continue;
    }
    const { free, seen } = inside;
    if (next._tag === 'TypeVar') {
      free.add(next);
      continue;
    }
    if (!mentionsTypeVars(next) || seen.has(next)) continue;
    seen.add(next);
    for (const v of ownTypeVars(next)) free.add(v);
    if (next._tag === 'FuncType' && next.typeParams.length > 0) {
      const binder = next;
      const found = known.get(binder);
      if (found !== undefined) {
        for (const v of found) free.add(v);
        continue;
      }
      const outside = inside;
      const below: Inside = { free: new Set(), seen: new Set() };
      inside = below;
      pending.push(() => {
        inside = outside;
        for (const v of binder.typeParams) below.free.delete(v);
        known.set(binder, [...below.free]);
        for (const v of below.free) outside.free.add(v);
      });
    }
    const below = typeChildren(next);
    for (let i = below.length - 1; i >= 0; i--) pending.push(below[i] as Type);
  }
  return [...inside.free];
}

/** The type parameters in a type itself, not in the types below it. */
export const ownTypeVars = (type: Type): ReadonlyArray<TypeVar> =>
  type._tag === 'TypeVar' ? [type] : ownLeaves(type).filter((leaf) => leaf._tag === 'TypeVar');

/** The variables and holes in the shapes, dimensions and dtypes of a type itself. */
export function ownLeaves(type: Type): ReadonlyArray<TypeVar | IncompleteType> {
  if (type._tag === 'TypeCall') return type.args.flatMap(inArg);
  if (type._tag !== 'TensorType') return [];
  const inShapeSlot = inShape(type.shape);
  return typeof type.dtype === 'string' ? inShapeSlot : [...inShapeSlot, type.dtype];
}

const inShape = (shape: Shape): ReadonlyArray<TypeVar | IncompleteType> =>
  '_tag' in shape ? [shape] : shape.flatMap(dimLeaves);

function inArg(arg: TypeArg): ReadonlyArray<TypeVar | IncompleteType> {
  if (arg.kind === 'Type') return [];
  if (arg.kind === 'Shape') return inShape(arg.value);
  if (arg.kind === 'ShapeVar') return dimLeaves(arg.value);
  return typeof arg.value === 'string' ? [] : [arg.value];
}
