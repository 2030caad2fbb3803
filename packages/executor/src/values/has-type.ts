/** Whether values are of types. */
import type { Dim, DTypeTerm, IRModule, TensorType, Type, TypeCall, TypeVar } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import {
  type Application,
  applications,
  boundType,
  noTypes,
  type TypeEnvironment,
} from './type-environment.ts';
import type { AdtValue, Value } from './value.ts';

/**
 * Whether `value` is what `type` says. A named dimension must have one size wherever it stands
 * alone; `?`, dimensions that are expressions, and type parameters that stand for nothing may be
 * anything. Of a function only the number of parameters is looked at.
 *
 * **Complexity** linear in the distinct pairs of values and types that meet.
 */
export function hasType(m: IRModule, value: Value, type: Type): boolean {
  const sizes = new Map<TypeVar, number>();
  const apply = applications(m);
  const met = new Map<Value, Array<readonly [Type, TypeEnvironment]>>();
  const pending: Array<readonly [Value, Type, TypeEnvironment]> = [[value, type, noTypes]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [at, stated, around] = next;
    const { type: wanted, environment } = boundType(stated, around);
    if (wanted._tag === 'TypeVar' || wanted._tag === 'IncompleteType') continue;
    if (at._tag === 'Tensor') {
      if (wanted._tag !== 'TensorType' || !fitsTensor(at, wanted, environment, sizes)) return false;
      continue;
    }
    const seen = met.get(at) ?? [];
    met.set(at, seen);
    if (seen.some(([t, e]) => t === wanted && e === environment)) continue;
    seen.push([wanted, environment]);
    const parts = partTypes(m, at, wanted, environment, apply);
    if (parts === undefined) return false;
    pending.push(...parts);
  }
  return true;
}

type Part = readonly [Value, Type, TypeEnvironment];

/** The parts of a value with their types, or `undefined` if it is not of the type. */
function partTypes(
  m: IRModule,
  value: Value,
  type: Type,
  environment: TypeEnvironment,
  apply: Application,
): ReadonlyArray<Part> | undefined {
  switch (value._tag) {
    case 'Tuple':
      if (type._tag !== 'TupleType' || type.fields.length !== value.fields.length) return undefined;
      return value.fields.map((field, i): Part => [field, type.fields[i] as Type, environment]);
    case 'Ref':
      return type._tag === 'RefType' ? [[value.value, type.value, environment]] : undefined;
    case 'Closure':
      return type._tag === 'FuncType' && arity(value.func?.params, type.params) ? [] : undefined;
    case 'Adt':
      return type._tag === 'TypeCall'
        ? inputTypes(m, value, type, apply(type, environment))
        : undefined;
    case 'Tensor':
      return undefined;
  }
}

const arity = (
  params: ReadonlyArray<unknown> | undefined,
  wanted: ReadonlyArray<unknown>,
): boolean => params === undefined || params.length === wanted.length;

function inputTypes(
  m: IRModule,
  value: AdtValue,
  type: TypeCall,
  inner: TypeEnvironment,
): ReadonlyArray<Part> | undefined {
  const ctor = m.constructors.get(value.ctor.nameHint);
  if (ctor === undefined || ctor.tag !== value.ctor.tag) return undefined;
  if (ctor.belongTo.nameHint !== type.func.nameHint) return undefined;
  if (ctor.inputs.length !== value.fields.length) return undefined;
  return value.fields.map((field, i): Part => [field, ctor.inputs[i] as Type, inner]);
}

function fitsTensor(
  t: Tensor,
  type: TensorType,
  environment: TypeEnvironment,
  sizes: Map<TypeVar, number>,
): boolean {
  const dtype = boundDType(type.dtype, environment);
  if (typeof dtype === 'string' && dtype !== t.dtype) return false;
  const shape = boundShape(type, environment);
  if (shape === undefined) return true;
  return (
    shape.length === t.shape.length &&
    shape.every((dim, axis) => fitsDim(dim, t.shape[axis] as number, environment, sizes))
  );
}

function boundDType(dtype: DTypeTerm, environment: TypeEnvironment): DTypeTerm {
  if (typeof dtype === 'string' || dtype._tag !== 'TypeVar') return dtype;
  const bound = environment.get(dtype);
  return bound?.arg.kind === 'BaseType' ? bound.arg.value : dtype;
}

/** The dimensions of a tensor type, or `undefined` where a variable stands for all of them. */
function boundShape(
  type: TensorType,
  environment: TypeEnvironment,
): ReadonlyArray<Dim> | undefined {
  const { shape } = type;
  if (!('_tag' in shape)) return shape;
  if (shape._tag !== 'TypeVar') return undefined;
  const bound = environment.get(shape);
  return bound?.arg.kind === 'Shape' && !('_tag' in bound.arg.value) ? bound.arg.value : undefined;
}

function fitsDim(
  dim: Dim,
  size: number,
  environment: TypeEnvironment,
  sizes: Map<TypeVar, number>,
): boolean {
  if (typeof dim === 'number') return dim === size;
  if (dim._tag === 'AnyDim') return true;
  const [term] = dim.terms;
  const [name] = term?.atoms ?? [];
  const alone = dim.constant === 0 && dim.terms.length === 1 && term?.coefficient === 1;
  if (!alone || term.atoms.length !== 1 || name?._tag !== 'TypeVar') return true;
  const bound = environment.get(name);
  if (bound?.arg.kind === 'ShapeVar') {
    return typeof bound.arg.value !== 'number' || bound.arg.value === size;
  }
  const known = sizes.get(name);
  if (known === undefined) sizes.set(name, size);
  return known === undefined || known === size;
}
