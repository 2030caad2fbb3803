/** Type parameters replaced by what stands for them at one use. */
import { postOrder } from '@baton/base';
import { type Dim, dimOf } from '../types/dim.ts';
import { mapDim, sameOr, type TypeParts, withTypeParts } from '../types/parts.ts';
import {
  type DTypeTerm,
  mentionsTypeVars,
  type Shape,
  type Type,
  type TypeArg,
  typeChildren,
} from '../types/type.ts';
import type { IncompleteType, TypeVar } from '../types/variable.ts';

/** What stands for type parameters; each argument has the kind of its parameter. */
export type TypeArgs = ReadonlyMap<TypeVar, TypeArg>;

/** The hole as an argument of its kind. */
export function holeArg(hole: IncompleteType): TypeArg {
  const { kind } = hole;
  return kind === 'ShapeVar'
    ? { _tag: 'TypeArg', kind, value: dimOf(hole) }
    : { _tag: 'TypeArg', kind, value: hole };
}

/** The type parameter as an argument of its kind. */
export function varArg(v: TypeVar): TypeArg {
  const { kind } = v;
  return kind === 'ShapeVar'
    ? { _tag: 'TypeArg', kind, value: dimOf(v) }
    : { _tag: 'TypeArg', kind, value: v };
}

/**
 * A function that replaces type parameters in types; it gives the type itself where none of them
 * occurs. The parameters that a type binds itself are not among `args`.
 *
 * **Complexity** linear in the distinct types below that mention type parameters.
 */
export function replaceTypeVars(args: TypeArgs): TypeParts {
  const known = new Map<Type, Type>();
  const shape = (given: Shape): Shape => {
    if (!('_tag' in given)) return sameOr(given, dim);
    const arg = given._tag === 'TypeVar' ? args.get(given) : undefined;
    return arg?.kind === 'Shape' ? arg.value : given;
  };
  const dtype = (given: DTypeTerm): DTypeTerm => {
    if (typeof given === 'string' || given._tag !== 'TypeVar') return given;
    const arg = args.get(given);
    return arg?.kind === 'BaseType' ? arg.value : given;
  };
  const dim = (given: Dim): Dim =>
    typeof given === 'number'
      ? given
      : mapDim(given, (atom) => {
          const arg = atom._tag === 'TypeVar' ? args.get(atom) : undefined;
          return arg?.kind === 'ShapeVar' ? arg.value : undefined;
        });
  const get = (type: Type): Type => known.get(type) ?? type;
  const parts: TypeParts = { type: get, shape, dtype, dim };
  const type = (given: Type): Type => {
    if (args.size === 0 || !mentionsTypeVars(given)) return given;
    const skip = (t: Type): boolean => known.has(t) || !mentionsTypeVars(t);
    for (const t of postOrder(typeChildren, [given], skip)) {
      if (t._tag === 'TypeVar') {
        const arg = args.get(t);
        known.set(t, arg?.kind === 'Type' ? arg.value : t);
      } else known.set(t, withTypeParts(t, parts));
    }
    return get(given);
  };
  return { type, shape, dtype, dim };
}
