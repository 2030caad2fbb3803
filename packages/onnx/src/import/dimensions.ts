/** The dimensions of a graph's inputs: names, and the sizes that the options give them. */
import { anyDim, type Dim, dimOf, type TypeVar, typeVar } from '@baton/ir';
import type { DimensionProto } from '../protobuf/messages.ts';
import type { ImportOptions } from './options.ts';

/**
 * The name of a dimension without a size: the one in the file, or the input's name with the axis,
 * as `x:0`. Exporters write no name, `?` or −1 for an unknown size.
 */
export function dimensionName(
  input: string,
  axis: number,
  dim: DimensionProto,
): string | undefined {
  if (typeof dim === 'string' && dim !== '' && dim !== '?') return dim;
  const isOpen = dim === undefined || typeof dim === 'string' || dim < 0;
  return isOpen ? `${input}:${axis}` : undefined;
}

/** The names that stand for others, whose sizes are the same. */
export type EqualNames = ReadonlyMap<string, string>;

/** The dimensions of one import by name. */
export interface Dimensions {
  /** Gives a name a size. */
  readonly bind: (name: string, size: number) => void;
  /** A dimension of an input: its size, or the variable of its name. */
  readonly of: (input: string, axis: number, dim: DimensionProto) => Dim;
  /** A dimension of another value: `?` if it has a name that no input has. */
  readonly known: (dim: DimensionProto) => Dim;
  readonly nameOf: (variable: TypeVar) => string | undefined;
}

/** Dimensions with the sizes in the options. Equal names are one variable, and so are names for equal sizes. */
export function makeDimensions(
  { dims = {} }: ImportOptions,
  equal: EqualNames = new Map(),
): Dimensions {
  const sizes = new Map(Object.entries(dims));
  const variables = new Map<string, TypeVar>();
  const names = new Map<TypeVar, string>();
  const taken = new Set<string>();
  const sizeOf = (name: string): number | undefined =>
    sizes.get(name) ?? sizes.get(equal.get(name) ?? name);
  const variableOf = (given: string): TypeVar => {
    const name = equal.get(given) ?? given;
    const old = variables.get(name);
    if (old !== undefined) return old;
    const made = typeVar(unused(identifier(name), taken), 'ShapeVar');
    taken.add(made.nameHint);
    variables.set(name, made);
    names.set(made, name);
    return made;
  };
  return {
    bind: (name, size) => void sizes.set(name, size),
    of: (input, axis, dim) => {
      const name = dimensionName(input, axis, dim);
      if (name === undefined) return Number(dim);
      return sizeOf(name) ?? dimOf(variableOf(name));
    },
    nameOf: (variable) => names.get(variable),
    known: (dim) => {
      if (typeof dim !== 'string') return dim === undefined || dim < 0 ? anyDim : Number(dim);
      const variable = variables.get(equal.get(dim) ?? dim);
      return sizeOf(dim) ?? (variable === undefined ? anyDim : dimOf(variable));
    },
  };
}

/** The name as one of Relay's: `x:0` becomes `x_0`. */
const identifier = (name: string): string =>
  name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?![A-Za-z_])/, '_');

/** The name, or the name with the first number that makes it new. */
function unused(name: string, taken: ReadonlySet<string>): string {
  let made = name;
  for (let i = 1; taken.has(made); i++) made = `${name}_${i}`;
  return made;
}
