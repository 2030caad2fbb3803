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
 * The pairs of names for which the relation of an operator holds with equal sizes alone: not with 1 and
 * another size, as it would if one broadcast.
 */
export function neededEqual(
  types: ValueTypes,
  args: ReadonlyArray<Expr>,
  holds: (args: ReadonlyArray<Expr>) => boolean,
): ReadonlyArray<readonly [TypeVar, TypeVar]> {
  const names = [...new Set(args.flatMap((arg) => namesIn(types, arg)))];
  if (names.length > MAX_NAMES) return [];
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
  return pairs.filter(([a, b]) => {
    const holdsFor = (first: number, second: number): boolean =>
      holds(
        args.map((arg) =>
          withSizes(
            types,
            arg,
            new Map([
              [a, first],
              [b, second],
            ]),
          ),
        ),
      );
    return holdsFor(3, 3) && !SIZES.some(([first, second]) => holdsFor(first, second));
  });
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

/** The names among the dimensions of an argument. */
const namesIn = (types: ValueTypes, arg: Expr): ReadonlyArray<TypeVar> =>
  tensorsOf(arg).flatMap((tensor) => {
    const type = types.typeOf(tensor);
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) return [];
    return type.shape.flatMap((dim) => variableOf(dim) ?? []);
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
