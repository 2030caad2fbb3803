/** The free type parameters of types. */
import { dimLeaves } from './parts.ts';
import { mentionsTypeVars, type Shape, type Type, type TypeArg, typeChildren } from './type.ts';
import type { IncompleteType, TypeVar } from './variable.ts';

/**
 * The free type parameters of the types, in order of appearance.
 *
 * **Complexity** linear in the distinct types below that mention type parameters; a type inside and
 * outside the binder of a parameter is visited once for each such binder.
 */
export function freeTypeVarsOf(types: ReadonlyArray<Type>): ReadonlyArray<TypeVar> {
  const generic = types.filter(mentionsTypeVars);
  const [only] = generic;
  if (only === undefined) return [];
  return generic.length === 1 && only._tag === 'TypeVar' ? [only] : collected(generic);
}

function collected(types: ReadonlyArray<Type>): ReadonlyArray<TypeVar> {
  const free = new Set<TypeVar>();
  const bound = new Map<TypeVar, number>();
  // Inside a binder other parameters are free than outside: each binder has a set of its own.
  let seen = new Set<Type>();
  const pending: (Type | (() => void))[] = [...types].reverse();
  const meet = (v: TypeVar): void => {
    if ((bound.get(v) ?? 0) === 0) free.add(v);
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'function') {
      next();
      continue;
    }
    if (next._tag === 'TypeVar') {
      meet(next);
      continue;
    }
    if (!mentionsTypeVars(next) || seen.has(next)) continue;
    seen.add(next);
    for (const v of ownTypeVars(next)) meet(v);
    if (next._tag === 'FuncType' && next.typeParams.length > 0) {
      const { typeParams } = next;
      const outside = seen;
      seen = new Set();
      for (const v of typeParams) bound.set(v, (bound.get(v) ?? 0) + 1);
      pending.push(() => {
        seen = outside;
        for (const v of typeParams) bound.set(v, (bound.get(v) ?? 0) - 1);
      });
    }
    const below = typeChildren(next);
    for (let i = below.length - 1; i >= 0; i--) pending.push(below[i] as Type);
  }
  return [...free];
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
