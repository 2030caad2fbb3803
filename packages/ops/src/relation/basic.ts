/**
 * The relations that many operators share:
 * [types §9](https://batonjs.github.io/baton/spec/types#9).
 */
import {
  type Dim,
  type DTypeTerm,
  describeDim,
  describeShape,
  describeType,
  type RelationContext,
  type Shape,
  type Type,
  tensorType,
} from '@baton/ir';
import { incompatibleBroadcast, notData } from '../diagnostics.ts';
import { broadcastDim } from './dims.ts';
import {
  type DTypeDomain,
  hasHole,
  inDomain,
  isOpen,
  normalAxis,
  report,
  sameDType,
  tensorArg,
  tensorTypeArg,
} from './known.ts';

/** Ignores attributes. */
type PlainRelation = (
  args: ReadonlyArray<Type>,
  attrs: unknown,
  context: RelationContext,
) => Type | undefined;

export const identity: PlainRelation = (args) => args[0];

/**
 * Like {@link identity}, for a tensor or a tuple of tensors. The result's type is known at once;
 * the condition is checked once the argument's type is known.
 */
export const identityOfData: PlainRelation = (args, _attrs, context) => {
  const arg = args[0];
  if (arg === undefined) return undefined;
  const resolved = context.resolve(arg);
  const parts = resolved._tag === 'TupleType' ? resolved.fields : [resolved];
  const wrong = parts.find((part) => part._tag !== 'TensorType' && !isOpen(part));
  if (wrong !== undefined) return report(context, notData(0, describeType(resolved)));
  if (parts.some(isOpen)) context.undecided();
  return resolved;
};

/** Like {@link identityOfData}, for a tensor whose dtype is in the domain. */
export const identityIn =
  (domain: DTypeDomain): PlainRelation =>
  (args, _attrs, context) => {
    const arg = args[0];
    if (arg === undefined) return undefined;
    const resolved = context.resolve(arg);
    if (isOpen(resolved)) {
      context.undecided();
      return resolved;
    }
    const type = tensorTypeArg(args, 0, context);
    if (type === undefined || !inDomain(type.dtype, domain, context)) return undefined;
    return context.resolve(type);
  };

/** The result has the shape of the first argument, and dtype bool. */
export const identityBool =
  (domain: DTypeDomain): PlainRelation =>
  (args, _attrs, context) => {
    const type = tensorTypeArg(args, 0, context);
    if (type === undefined || !inDomain(type.dtype, domain, context)) return undefined;
    return tensorType(type.shape, 'bool');
  };

/** Two tensors of one dtype broadcast; the result has that dtype. */
export const broadcast =
  (domain: DTypeDomain): PlainRelation =>
  (args, _attrs, context) => {
    const joined = broadcastArgs(args, domain, context);
    return joined === undefined ? undefined : tensorType(joined.shape, joined.dtype);
  };

/** Like {@link broadcast}, with a bool result. */
export const broadcastBool =
  (domain: DTypeDomain): PlainRelation =>
  (args, _attrs, context) => {
    const joined = broadcastArgs(args, domain, context);
    return joined === undefined ? undefined : tensorType(joined.shape, 'bool');
  };

/** The common shape of two that broadcast; `undefined` if undecided, or after reporting. */
export function broadcastShape(a: Shape, b: Shape, context: RelationContext): Shape | undefined {
  if ('_tag' in a || '_tag' in b) return broadcastVariable(a, b);
  if (a.some(hasHole) || b.some(hasHole)) return undefined;
  const rank = Math.max(a.length, b.length);
  const dims: Dim[] = [];
  const conflicts: string[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const left = a[axis - (rank - a.length)] ?? 1;
    const right = b[axis - (rank - b.length)] ?? 1;
    const dim = broadcastDim(left, right);
    if (dim === undefined) {
      conflicts.push(
        `dimension ${axis} conflicts: ${describeDim(left)} does not match ${describeDim(right)}`,
      );
    } else dims.push(dim);
  }
  if (conflicts.length === 0) return dims;
  const listed = `; ${conflicts.join('; ')}`;
  return report(context, incompatibleBroadcast(describeShape(a), describeShape(b), listed));
}

function broadcastArgs(
  args: ReadonlyArray<Type>,
  domain: DTypeDomain,
  context: RelationContext,
): { readonly shape: Shape; readonly dtype: DTypeTerm } | undefined {
  const a = tensorTypeArg(args, 0, context);
  const b = tensorTypeArg(args, 1, context);
  if (a === undefined || b === undefined) return undefined;
  const dtype = sameDType(a.dtype, b.dtype, '`rhs`', context);
  if (dtype === undefined || !inDomain(dtype, domain, context)) return undefined;
  const shape = broadcastShape(a.shape, b.shape, context);
  return shape === undefined ? undefined : { shape, dtype };
}

/**
 * An unknown shape variable broadcast with itself or with a scalar is itself; anything else is
 * undecided.
 */
function broadcastVariable(a: Shape, b: Shape): Shape | undefined {
  if (a === b || (!('_tag' in b) && b.length === 0)) return a;
  return !('_tag' in a) && a.length === 0 ? b : undefined;
}

/** Floats; the result has the type of the first argument, which must have the axis `axis`. */
export const floatAlongAxis = (
  args: ReadonlyArray<Type>,
  attrs: { readonly axis: number },
  context: RelationContext,
): Type | undefined => {
  const data = tensorArg(args, 0, context);
  if (data === undefined || !inDomain(data.dtype, 'float', context)) return undefined;
  const axis = normalAxis(attrs.axis, data.shape.length, context);
  return axis === undefined ? undefined : context.resolve(data.type);
};
