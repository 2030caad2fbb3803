/** Checks values against types. */
import type { Dim, FuncType, IRModule, Type, TypeCall, TypeVar } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { STRIDE } from './fold.ts';
import {
  type Application,
  applications,
  type BoundType,
  bareName,
  boundDType,
  boundShape,
  boundType,
  noTypes,
  sameBound,
  type TypeEnvironment,
} from './type-environment.ts';
import { type AdtValue, type Closure, hasParts, partsOf, type Value } from './value.ts';

/**
 * Whether `value` is of `type`. A named dimension must have one size wherever it stands alone; `?`,
 * dimensions that are expressions, and type parameters without arguments may be anything. Functions
 * are compared by their outer parameters and results.
 *
 * **Complexity** linear in the distinct pairs of corresponding values and types.
 */
export const hasType = (m: IRModule, value: Value, type: Type): boolean =>
  hasBoundType(m, value, { type, environment: noTypes });

/** Like {@link hasType}, with arguments for the type's parameters. */
export function hasBoundType(m: IRModule, root: Value, type: BoundType): boolean {
  const context: Context = { m, apply: applications(m), sizes: new Map() };
  const met = new Map<Value, BoundType[]>();
  const pending: Pending[] = [{ value: root, wanted: type, steps: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: at, steps } = next;
    const wanted = boundType(next.wanted.type, next.wanted.environment);
    if (isOpen(wanted.type)) continue;
    if (at._tag === 'Tensor') {
      if (!fitsTensor(at, wanted, context)) return false;
      continue;
    }
    // Only some pairs along a chain, such as a list, are remembered.
    if (steps % STRIDE === 0 && !remember(met, at, wanted)) continue;
    const parts = partTypes(at, wanted, context);
    if (parts === undefined) return false;
    const { environment } = parts;
    const fields = partsOf(at);
    let onward = steps + 1;
    for (let i = fields.length - 1; i >= 0; i--) {
      const field = fields[i] as Value;
      const inner = { type: parts.types[i] as Type, environment };
      pending.push({ value: field, wanted: inner, steps: onward });
      if (hasParts(field)) onward = 0;
    }
  }
  return true;
}

interface Context {
  readonly m: IRModule;
  readonly apply: Application;
  readonly sizes: Map<TypeVar, number>;
}

interface Pending {
  readonly value: Value;
  readonly wanted: BoundType;
  readonly steps: number;
}

const isOpen = (type: Type): boolean => type._tag === 'TypeVar' || type._tag === 'IncompleteType';

/** Records a pair of a value and a type; false if it is known. */
function remember(met: Map<Value, BoundType[]>, value: Value, wanted: BoundType): boolean {
  const seen = met.get(value);
  if (seen === undefined) met.set(value, [wanted]);
  else if (seen.some((b) => sameBound(b, wanted))) return false;
  else seen.push(wanted);
  return true;
}

/** The types of a value's parts, or `undefined` if it is not of the type. */
function partTypes(
  value: Value,
  { type, environment }: BoundType,
  { m, apply }: Context,
): { readonly types: ReadonlyArray<Type>; readonly environment: TypeEnvironment } | undefined {
  switch (value._tag) {
    case 'Tuple':
      if (type._tag !== 'TupleType' || type.fields.length !== value.fields.length) return undefined;
      return { types: type.fields, environment };
    case 'Ref':
      return type._tag === 'RefType' ? { types: [type.value], environment } : undefined;
    case 'Closure':
      if (type._tag !== 'FuncType' || !isFunction(value, type, environment)) return undefined;
      return { types: [], environment };
    case 'Adt':
      if (type._tag !== 'TypeCall' || !isMadeBy(m, value, type)) return undefined;
      return { types: value.ctor.inputs, environment: apply(type, environment) };
    case 'Tensor':
      return undefined;
  }
}

/** A polymorphic function, an operator and a constructor may be of any function type. */
function isFunction({ func }: Closure, type: FuncType, environment: TypeEnvironment): boolean {
  if (func === undefined) return true;
  if (func.params.length !== type.params.length) return false;
  if (func.typeParams.length > 0) return true;
  const own = [...func.params.map((p) => p.typeAnnotation), func.retType];
  const wanted = [...type.params, type.result];
  return wanted.every((t, i) => looksLike(own[i], boundType(t, environment).type));
}

/** Whether two types may have values in common, seen from outside; sizes are checked at calls. */
function looksLike(a: Type | undefined, b: Type): boolean {
  if (a === undefined || isOpen(a) || isOpen(b)) return true;
  if (a._tag === 'TensorType' && b._tag === 'TensorType') {
    const sameRank = '_tag' in a.shape || '_tag' in b.shape || a.shape.length === b.shape.length;
    return (
      sameRank && (a.dtype === b.dtype || ![a.dtype, b.dtype].every((d) => typeof d === 'string'))
    );
  }
  if (a._tag === 'TupleType' && b._tag === 'TupleType') return a.fields.length === b.fields.length;
  if (a._tag === 'TypeCall' && b._tag === 'TypeCall') return a.func.nameHint === b.func.nameHint;
  return a._tag === b._tag;
}

function isMadeBy(m: IRModule, value: AdtValue, type: TypeCall): boolean {
  const ctor = m.constructors.get(value.ctor.nameHint);
  return (
    ctor?.tag === value.ctor.tag &&
    ctor.belongTo.nameHint === type.func.nameHint &&
    ctor.inputs.length === value.fields.length
  );
}

function fitsTensor(t: Tensor, { type, environment }: BoundType, { sizes }: Context): boolean {
  if (type._tag !== 'TensorType') return false;
  const dtype = boundDType(type.dtype, environment);
  if (typeof dtype === 'string' && dtype !== t.dtype) return false;
  const shape = boundShape(type, environment);
  if (shape === undefined) return true;
  return (
    shape.length === t.shape.length &&
    shape.every((dim, axis) => fitsDim(dim, t.shape[axis] as number, environment, sizes))
  );
}

function fitsDim(
  dim: Dim,
  size: number,
  environment: TypeEnvironment,
  sizes: Map<TypeVar, number>,
): boolean {
  if (typeof dim === 'number') return dim === size;
  const name = bareName(dim);
  // A name that stands for an expression is not computed here.
  if (name === undefined || environment.has(name)) return true;
  const known = sizes.get(name);
  if (known === undefined) sizes.set(name, size);
  return known === undefined || known === size;
}
