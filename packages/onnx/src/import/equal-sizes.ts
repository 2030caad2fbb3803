/** Dimensions of different names that an operator needs to have the same size. */
import {
  anyDim,
  bareAtom,
  type Dim,
  type Expr,
  isStaticDim,
  type TypeVar,
  tensorType,
  tuple,
  variable,
} from '@baton/ir';
import type { ValueTypes } from './types.ts';

/**
 * The pairs of names, and of a name and a number, for which the relation of an operator holds with equal
 * sizes alone: not with 1 and another size, as it would if one broadcast.
 */
export function neededEqual(
  types: ValueTypes,
  args: ReadonlyArray<Expr>,
  holds: (args: ReadonlyArray<Expr>) => boolean,
): ReadonlyArray<readonly [TypeVar, TypeVar | number]> {
  const all = args.flatMap((arg) => dimsIn(types, arg));
  const names = [...new Set(all.flatMap((dim) => variableOf(dim) ?? []))];
  if (names.length > MAX_NAMES) return [];
  const holdsFor = (...sizes: ReadonlyArray<readonly [TypeVar, number]>): boolean =>
    holds(args.map((arg) => withSizes(types, arg, new Map(sizes))));
  const numbers = [...new Set(all.filter(isStaticDim))].filter((size) => size > 1);
  const stated = names.flatMap((name) => {
    const [only, ...others] = numbers.filter((size) => holdsFor([name, size]));
    const isFree = only === undefined || others.length > 0;
    return isFree || [1, only + 1, 2 * only + 1].some((size) => holdsFor([name, size]))
      ? []
      : [[name, only] as const];
  });
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
  const equal = pairs.filter(
    ([a, b]) =>
      holdsFor([a, 3], [b, 3]) &&
      !SIZES.some(([first, second]) => holdsFor([a, first], [b, second])),
  );
  return [...stated, ...equal];
}

/** The most names of one call that are compared with one another. */
const MAX_NAMES = 8;

/** Different sizes, of which no two are equal for another reason. */
const SIZES = [
  [1, 3],
  [3, 1],
  [3, 5],
] as const;

/** The tensors of an argument. */
const tensorsOf = (arg: Expr): ReadonlyArray<Expr> => (arg._tag === 'Tuple' ? arg.fields : [arg]);

/** The dimensions of an argument. */
const dimsIn = (types: ValueTypes, arg: Expr): ReadonlyArray<Dim> =>
  tensorsOf(arg).flatMap((tensor) => {
    const type = types.typeOf(tensor);
    return type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : [];
  });

function variableOf(dim: Dim): TypeVar | undefined {
  const atom = isStaticDim(dim) ? undefined : bareAtom(dim);
  return atom?._tag === 'TypeVar' ? atom : undefined;
}

/** A stand-in of the argument's type with sizes for names, and `?` for all other names. */
function withSizes(types: ValueTypes, arg: Expr, sizes: ReadonlyMap<TypeVar, number>): Expr {
  if (arg._tag === 'Tuple') {
    return tuple(
      arg.fields.map((field) => withSizes(types, field, sizes)),
      arg.span,
    );
  }
  const type = types.typeOf(arg);
  if (type?._tag !== 'TensorType' || '_tag' in type.shape || !type.mentions) return arg;
  const dims = type.shape.map((dim) => {
    const name = variableOf(dim);
    if (isStaticDim(dim)) return dim;
    return (name && sizes.get(name)) ?? anyDim;
  });
  return variable('sized', tensorType(dims, type.dtype), arg.span);
}
