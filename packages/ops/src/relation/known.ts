/**
 * Helpers of relations for reading their arguments. Each function returns `undefined` while
 * undecided.
 */
import {
  type Dim,
  type DTypeTerm,
  describeDType,
  describeType,
  incompleteType,
  type RelationContext,
  type TensorType,
  type Type,
  tensorType,
} from '@baton/ir';
import { type DType, isDType, isFloat, isInteger, normalizeAxis } from '@baton/tensor';
import {
  axisOutOfRange,
  badExtent,
  dtypeDomain,
  dtypeMismatch,
  duplicateAxis,
  notATensor,
  notATuple,
  type RelationError,
  shapeMismatch,
  wrongRank,
} from '../diagnostics.ts';
import { dimAgrees } from './dims.ts';

/** A tensor type with a known rank and no holes in its dimensions. */
export interface KnownTensor {
  readonly shape: ReadonlyArray<Dim>;
  readonly dtype: DTypeTerm;
  readonly type: TensorType;
}

export const report = (context: RelationContext, error: RelationError): undefined =>
  context.fail(error.code, error.message, error.hint);

/** Argument `index` as a tensor type, whose shape may be open; reports any other type. */
export function tensorTypeArg(
  args: ReadonlyArray<Type>,
  index: number,
  context: RelationContext,
): TensorType | undefined {
  const type = args[index];
  if (type === undefined) return undefined;
  const resolved = context.resolve(type);
  if (resolved._tag === 'TensorType') return resolved;
  if (isOpen(resolved)) return undefined;
  return report(context, notATensor(index, describeType(resolved)));
}

/** Argument `index` with a known shape. */
export function tensorArg(
  args: ReadonlyArray<Type>,
  index: number,
  context: RelationContext,
): KnownTensor | undefined {
  const type = tensorTypeArg(args, index, context);
  return type === undefined ? undefined : known(type);
}

/** Argument `index`, a tuple, with the shape of each field known. */
export function tupleArg(
  args: ReadonlyArray<Type>,
  index: number,
  context: RelationContext,
): ReadonlyArray<KnownTensor> | undefined {
  const type = args[index];
  if (type === undefined) return undefined;
  const resolved = context.resolve(type);
  if (isOpen(resolved)) return undefined;
  if (resolved._tag !== 'TupleType')
    return report(context, notATuple(index, describeType(resolved)));
  const fields: KnownTensor[] = [];
  for (const field of resolved.fields) {
    if (isOpen(field)) return undefined;
    if (field._tag !== 'TensorType') return report(context, notATuple(index, describeType(field)));
    const tensor = known(field);
    if (tensor === undefined) return undefined;
    fields.push(tensor);
  }
  return fields;
}

/** `undefined` if a part of the shape is open. */
export function known(type: TensorType): KnownTensor | undefined {
  if ('_tag' in type.shape) return undefined;
  if (type.shape.some(hasHole)) return undefined;
  return { shape: type.shape, dtype: type.dtype, type };
}

/** Whether inference may still find this type, or a caller decides it. */
export const isOpen = (type: Type): boolean =>
  type._tag === 'IncompleteType' || type._tag === 'TypeVar';

/** Whether a dimension mentions a hole. */
export function hasHole(dim: Dim): boolean {
  const pending: Dim[] = [dim];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'number' || next._tag === 'AnyDim') continue;
    for (const atom of next.terms.flatMap((term) => term.atoms)) {
      if (atom._tag === 'IncompleteType') return true;
      if (atom._tag === 'DimQuotient') pending.push(atom.numerator, atom.denominator);
    }
  }
  return false;
}

/** The common dtype of both; reports a difference. `where` names the second in the message. */
export function sameDType(
  a: DTypeTerm,
  b: DTypeTerm,
  where: string,
  context: RelationContext,
): DTypeTerm | undefined {
  return (
    context.unifyDTypes(a, b) ??
    report(context, dtypeMismatch(describeDType(a), describeDType(b), where))
  );
}

/**
 * Whether a literal can have the wanted dtype; reports if not. Any other dtype is cast. Undecided
 * while the dtype may turn out to be a literal's.
 */
export function takesDType(
  dtype: DTypeTerm,
  wanted: DType,
  where: string,
  context: RelationContext,
): boolean {
  if (typeof dtype === 'string' || dtype._tag !== 'IncompleteType') return true;
  if (dtype.literal !== undefined) return sameDType(wanted, dtype, where, context) !== undefined;
  context.undecided();
  return true;
}

export type DTypeDomain = 'any' | 'float' | 'number' | 'int' | 'bool' | 'bits';

const DOMAIN: { readonly [D in DTypeDomain]: { name: string; has: (dtype: DType) => boolean } } = {
  any: { name: 'a tensor', has: () => true },
  float: { name: 'a tensor of floats', has: isFloat },
  number: { name: 'a tensor of numbers', has: (dtype) => dtype !== 'bool' },
  int: { name: 'a tensor of integers', has: isInteger },
  bool: { name: 'a tensor of bool', has: (dtype) => dtype === 'bool' },
  bits: { name: 'a tensor of integers or bool', has: (dtype) => !isFloat(dtype) },
};

/**
 * Whether the dtype is in the domain; reports if not. Undecided while the dtype is unknown. A
 * literal without suffix becomes a float if the domain has only floats; it is never a bool.
 */
export function inDomain(dtype: DTypeTerm, domain: DTypeDomain, context: RelationContext): boolean {
  const { name, has } = DOMAIN[domain];
  if (typeof dtype !== 'string') {
    const literal = dtype._tag === 'IncompleteType' ? dtype.literal : undefined;
    if (literal === 'int' && domain === 'float') {
      return context.unifyDTypes(dtype, incompleteType('BaseType', 'float')) !== undefined;
    }
    const possible = literal === undefined ? undefined : LITERAL_DTYPES[literal];
    if (possible?.every(has) === true || domain === 'any') return true;
    if (possible === undefined || possible.some(has)) {
      context.undecided();
      return true;
    }
  } else if (!isDType(dtype) || has(dtype)) return true;
  report(context, dtypeDomain(name, describeDType(dtype)));
  return false;
}

/** The dtypes of literals that domains distinguish. */
const LITERAL_DTYPES: { readonly [L in 'int' | 'float']: ReadonlyArray<DType> } = {
  int: ['int32', 'float32'],
  float: ['float32'],
};

/** `axis` as a non-negative number; reports an axis out of range. */
export function normalAxis(
  axis: number,
  rank: number,
  context: RelationContext,
): number | undefined {
  return normalizeAxis(axis, rank) ?? report(context, axisOutOfRange(axis, rank));
}

/** The axes as non-negative numbers; reports an axis out of range, and a repeated one. */
export function normalAxes(
  axes: ReadonlyArray<number>,
  rank: number,
  context: RelationContext,
): ReadonlyArray<number> | undefined {
  const normal: number[] = [];
  for (const axis of axes) {
    const at = normalAxis(axis, rank, context);
    if (at === undefined) return undefined;
    if (normal.includes(at)) return report(context, duplicateAxis(axis));
    normal.push(at);
  }
  return normal;
}

/** Whether the tensor has one of these ranks; reports if not. */
export function hasRank(
  tensor: KnownTensor,
  what: string,
  ranks: ReadonlyArray<number>,
  context: RelationContext,
): boolean {
  if (ranks.includes(tensor.shape.length)) return true;
  report(context, wrongRank(what, `rank ${ranks.join(' or ')}`, tensor.shape.length));
  return false;
}

/** Whether the tensor has at least this rank; reports if not. */
export function hasRankFrom(
  tensor: KnownTensor,
  what: string,
  least: number,
  context: RelationContext,
): boolean {
  if (tensor.shape.length >= least) return true;
  report(context, wrongRank(what, `rank ${least} or more`, tensor.shape.length));
  return false;
}

export const dimAt = (tensor: KnownTensor, axis: number): Dim => tensor.shape[axis] as Dim;

/**
 * Unifies an argument with this type: a hole is filled; callers decide a type parameter; a known
 * tensor must have the dtype and agree in every dimension known to both. `false` if not (after
 * reporting); `from` names the source of the wanted shape.
 */
export function fillArg(
  args: ReadonlyArray<Type>,
  index: number,
  what: string,
  shape: ReadonlyArray<Dim>,
  dtype: DTypeTerm,
  context: RelationContext,
  from?: string,
  hint?: string,
): boolean {
  const arg = args[index];
  if (arg === undefined) return false;
  const resolved = context.resolve(arg);
  const wanted = tensorType(shape, dtype);
  if (resolved._tag !== 'TensorType') {
    if (resolved._tag === 'IncompleteType') return context.unify(resolved, wanted);
    if (resolved._tag === 'TypeVar') {
      // Every caller must pass this type.
      context.undecided();
      return true;
    }
    report(context, notATensor(index, describeType(resolved)));
    return false;
  }
  if (sameDType(dtype, resolved.dtype, `\`${what}\``, context) === undefined) return false;
  const found = known(resolved);
  if (found === undefined) return context.unify(resolved, wanted);
  if (dimsAgree(found.shape, shape)) return true;
  report(context, shapeMismatch(`\`${what}\``, shape, found.shape, from, hint));
  return false;
}

/**
 * Argument `index`, of this dtype and with a known shape. An open one is filled with `shape`, if
 * that is determined.
 */
export function tensorOrFilled(
  args: ReadonlyArray<Type>,
  index: number,
  what: string,
  shape: ReadonlyArray<Dim> | undefined,
  dtype: DTypeTerm,
  context: RelationContext,
): KnownTensor | undefined {
  const arg = args[index];
  if (arg === undefined) return undefined;
  const found = tensorArg(args, index, context);
  if (found !== undefined) {
    const isSame = sameDType(dtype, found.dtype, `\`${what}\``, context) !== undefined;
    return isSame ? found : undefined;
  }
  const type = context.resolve(arg);
  if (shape === undefined || (type._tag !== 'TensorType' && !isOpen(type))) return undefined;
  return fillArg(args, index, what, shape, dtype, context)
    ? { shape, dtype, type: tensorType(shape, dtype) }
    : undefined;
}

/** Whether the tensor may have this shape; reports if not. `from` is the source of the shape. */
export function hasShape(
  tensor: KnownTensor,
  what: string,
  shape: ReadonlyArray<Dim>,
  context: RelationContext,
  from?: string,
): boolean {
  if (dimsAgree(shape, tensor.shape)) return true;
  report(context, shapeMismatch(what, shape, tensor.shape, from));
  return false;
}

/** Whether two shapes may be equal: `?` agrees with everything. */
export const dimsAgree = (a: ReadonlyArray<Dim>, b: ReadonlyArray<Dim>): boolean =>
  a.length === b.length && a.every((dim, i) => dimAgrees(dim, b[i] as Dim));

/** A relation of one tensor that runs once its type is known. */
export const ofTensor =
  <A>(relate: (data: KnownTensor, attrs: A, context: RelationContext) => Type | undefined) =>
  (args: ReadonlyArray<Type>, attrs: A, context: RelationContext): Type | undefined => {
    const data = tensorArg(args, 0, context);
    return data && relate(data, attrs, context);
  };

/** A relation of two tensors that runs once their types are known. */
export const ofTwo =
  <A>(
    relate: (
      first: KnownTensor,
      second: KnownTensor,
      attrs: A,
      context: RelationContext,
    ) => Type | undefined,
  ) =>
  (args: ReadonlyArray<Type>, attrs: A, context: RelationContext): Type | undefined => {
    const first = tensorArg(args, 0, context);
    const second = tensorArg(args, 1, context);
    return first && second && relate(first, second, attrs, context);
  };

/** The most dimensions of a type that an attribute may state. */
const MOST_DIMS = 1024;

/** Whether a type may have this number of dimensions; reports if not. */
export function areFewDims(count: number, context: RelationContext): boolean {
  if (count <= MOST_DIMS) return true;
  report(context, badExtent('a shape', `expected at most ${MOST_DIMS} dimensions, found ${count}`));
  return false;
}
