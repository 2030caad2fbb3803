/** The replacement of type parameters by arguments at one use. */
import { bareAtom, type Dim, dimOf } from './dim.ts';
import { mapDim, rebuildType, sameOr, type TypeParts } from './parts.ts';
import { type DTypeTerm, mentionsTypeVars, type Shape, type Type, type TypeArg } from './type.ts';
import type { IncompleteType, TypeVar } from './variable.ts';

/** The arguments of type parameters; each has the kind of its parameter. */
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
 * A function that replaces type parameters in types; it returns a type without them unchanged. If a
 * type binds one of them itself, as types that share objects may, it is renamed there too: its
 * argument has to be a type parameter.
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
  const get = (type: Type): Type => {
    if (type._tag !== 'TypeVar') return known.get(type) ?? type;
    const arg = args.get(type);
    return arg?.kind === 'Type' ? arg.value : type;
  };
  const unknown = (part: Type): Type | undefined =>
    part._tag === 'TypeVar' || !mentionsTypeVars(part) || known.has(part) ? undefined : part;
  const binder = (v: TypeVar): TypeVar => variableOf(args.get(v)) ?? v;
  const parts: TypeParts = { type: get, shape, dtype, dim, binder };
  const type = (given: Type): Type =>
    args.size === 0 || unknown(given) === undefined
      ? get(given)
      : rebuildType(given, parts, known, unknown);
  return { type, shape, dtype, dim };
}

/** The type parameter that an argument consists of, if it is one. */
function variableOf(arg: TypeArg | undefined): TypeVar | undefined {
  const value = arg?.kind === 'ShapeVar' ? bareAtom(arg.value) : arg?.value;
  if (typeof value !== 'object' || !('_tag' in value)) return undefined;
  return value._tag === 'TypeVar' ? value : undefined;
}
