/** Types with arguments for their parameters, without substitution, for comparison with values. */
import { remember } from '@baton/base';
import type {
  Dim,
  DTypeTerm,
  IRModule,
  TensorType,
  Type,
  TypeArg,
  TypeCall,
  TypeVar,
} from '@baton/ir';

/** The arguments of type parameters. They are resolved: none is a parameter with an argument. */
export type TypeEnvironment = ReadonlyMap<TypeVar, BoundArg>;

/** An argument with the arguments of its type parameters. */
export interface BoundArg {
  readonly arg: TypeArg;
  readonly environment: TypeEnvironment;
}

/** A type with the arguments of its parameters. */
export interface BoundType {
  readonly type: Type;
  readonly environment: TypeEnvironment;
}

/** Whether two types are the same object under the same arguments. */
export const sameBound = (a: BoundType, b: BoundType): boolean =>
  a.type === b.type && a.environment === b.environment;

export const noTypes: TypeEnvironment = new Map();

/** The type itself, or the argument of the parameter that it is. */
export function boundType(type: Type, environment: TypeEnvironment): BoundType {
  if (type._tag !== 'TypeVar') return { type, environment };
  const bound = environment.get(type);
  return bound?.arg.kind === 'Type'
    ? { type: bound.arg.value, environment: bound.environment }
    : { type, environment };
}

/** The element type itself, or the argument of the parameter that it is. */
export function boundDType(dtype: DTypeTerm, environment: TypeEnvironment): DTypeTerm {
  if (typeof dtype === 'string' || dtype._tag !== 'TypeVar') return dtype;
  const bound = environment.get(dtype);
  return bound?.arg.kind === 'BaseType' ? bound.arg.value : dtype;
}

/** The dimensions of a tensor type, with known sizes; `undefined` for a shape variable. */
export function boundShape(
  { shape }: TensorType,
  environment: TypeEnvironment,
): ReadonlyArray<Dim> | undefined {
  if (!('_tag' in shape)) return shape.map((dim) => boundDim(dim, environment));
  if (shape._tag !== 'TypeVar') return undefined;
  const bound = environment.get(shape);
  if (bound?.arg.kind !== 'Shape' || '_tag' in bound.arg.value) return undefined;
  return bound.arg.value.map((dim) => boundDim(dim, bound.environment));
}

/** The name that a dimension consists of, if it is one. */
export function bareName(dim: Dim): TypeVar | undefined {
  if (typeof dim === 'number' || dim._tag === 'AnyDim') return undefined;
  const [term] = dim.terms;
  const [atom] = term?.atoms ?? [];
  const alone =
    dim.constant === 0 &&
    dim.terms.length === 1 &&
    term?.coefficient === 1 &&
    term.atoms.length === 1;
  return alone && atom?._tag === 'TypeVar' ? atom : undefined;
}

/** The arguments for the parameters of an algebraic data type in an application of it. */
export type Application = (call: TypeCall, environment: TypeEnvironment) => TypeEnvironment;

/**
 * The applications of a module's data types. The same application has the same environment each
 * time, so a long list has one environment, not one a cell.
 */
export function applications(m: IRModule): Application {
  const known = new Map<TypeCall, Map<TypeEnvironment, TypeEnvironment>>();
  return (call, environment) => {
    const ofCall = remember(known, call, () => new Map<TypeEnvironment, TypeEnvironment>());
    return remember(ofCall, environment, () => apply(call, environment, m));
  };
}

function boundDim(dim: Dim, environment: TypeEnvironment): Dim {
  const name = bareName(dim);
  const bound = name && environment.get(name);
  const isNumber = bound?.arg.kind === 'ShapeVar' && typeof bound.arg.value === 'number';
  return isNumber ? bound.arg.value : dim;
}

function apply(call: TypeCall, environment: TypeEnvironment, m: IRModule): TypeEnvironment {
  const inner = new Map<TypeVar, BoundArg>();
  const definition = m.typeDefinitions.get(call.func.nameHint);
  definition?.typeVars.forEach((v, i) => {
    const arg = call.args[i];
    if (arg !== undefined) inner.set(v, boundArg(arg, environment));
  });
  return isSame(inner, environment) ? environment : inner;
}

const isSame = (a: TypeEnvironment, b: TypeEnvironment): boolean =>
  a.size === b.size &&
  [...a].every(([v, { arg, environment }]) => {
    const other = b.get(v);
    return other?.arg === arg && other.environment === environment;
  });

function boundArg(arg: TypeArg, environment: TypeEnvironment): BoundArg {
  const { value } = arg;
  if (typeof value === 'object' && '_tag' in value && value._tag === 'TypeVar') {
    const bound = environment.get(value);
    if (bound !== undefined) return bound;
  }
  return { arg, environment };
}
