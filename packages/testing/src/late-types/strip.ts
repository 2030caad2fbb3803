/** Programs with fewer annotations than possible. */
import {
  anyDim,
  type Dim,
  dimOf,
  type Func,
  freeTypeVars,
  func,
  mapParts,
  rewriteExpr,
  type Step,
  type Type,
  type TypeVar,
  tensorType,
  typeVar,
  type Var,
  variable,
} from '@baton/ir';
import type { Choices } from '../generate/random.ts';

/** The treatment of the sizes of `main`'s parameters. */
export type Sizes = 'stated' | 'unknown' | 'named';

/** The amount to leave out. */
export interface Stripping {
  readonly share: number;
  readonly sizes: Sizes;
}

/** The functions with fewer annotations: types then come from the uses of values. */
export function stripped(
  functions: ReadonlyMap<string, Func>,
  { share, sizes }: Stripping,
  random: Choices,
): ReadonlyMap<string, Func> {
  // A type that mentions type parameters is kept.
  const goes = (type: Type | undefined): boolean =>
    type !== undefined && freeTypeVars(type).length === 0 && random.chance(share);
  const vars = new Map<Var, Var>();
  const barer = (v: Var): Var => {
    const known = vars.get(v);
    if (known !== undefined) return known;
    const made = goes(v.typeAnnotation) ? variable(v.nameHint, undefined, v.span) : v;
    vars.set(v, made);
    return made;
  };
  const step: Step = (node, get) => {
    if (node._tag === 'Var') return barer(node);
    const isBare = node._tag === 'Function' && goes(node.retType);
    const made = mapParts(node, { child: get, binder: barer });
    if (!isBare || made._tag !== 'Function') return made;
    return func(made.params, made.body, { ...made, retType: undefined });
  };
  const main = functions.get('main');
  const free = freeSizes(sizes, random);
  for (const param of main?.params ?? []) {
    const type = param.typeAnnotation;
    vars.set(param, type === undefined ? param : variable(param.nameHint, free(type), param.span));
  }
  return new Map(
    [...functions].map(([name, f]): [string, Func] => {
      const made = rewriteExpr(f, step) as Func;
      // Inference finds the relation of the result to free sizes.
      const isOpen = f === main && sizes !== 'stated';
      return [name, isOpen ? func(made.params, made.body, { attrs: f.attrs }) : made];
    }),
  );
}

/** Sizes become known at run time. Equal sizes get the same name, or two names. */
function freeSizes(sizes: Sizes, random: Choices): (type: Type) => Type {
  if (sizes === 'stated') return (type) => type;
  const names = new Map<number, TypeVar>();
  const named = (size: number): Dim => {
    const known = names.get(size);
    if (known !== undefined && random.chance(0.8)) return dimOf(known);
    const name = typeVar(`n${size}`, 'ShapeVar');
    names.set(size, name);
    return dimOf(name);
  };
  const free = (dim: Dim): Dim => {
    if (typeof dim !== 'number' || random.chance(0.5)) return dim;
    return sizes === 'unknown' ? anyDim : named(dim);
  };
  return (type) =>
    type._tag === 'TensorType' && !('_tag' in type.shape)
      ? tensorType(type.shape.map(free), type.dtype)
      : type;
}
