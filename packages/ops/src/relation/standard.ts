/**
 * The relations that `where` clauses may name, in addition to those of the operators: [types
 * §9](https://batonjs.github.io/baton/spec/types#9).
 */
import { type Attrs, type Relation, type RelationInfo, type Type, tensorType } from '@baton/ir';
import { type DType, isDType } from '@baton/tensor';
import { broadcast, broadcastBool, identity, identityBool } from './basic.ts';
import { tensorArg, tensorTypeArg } from './known.ts';
import { type ReduceAttrs, reduceType } from './reduce.ts';

const relation = (name: string, inputCount: number, doc: string, run: Relation): RelationInfo => ({
  name,
  doc,
  inputCount,
  relation: run,
});

const dtypeOf = (attrs: Attrs, otherwise: DType): DType => {
  const { dtype } = attrs;
  return isDType(dtype) ? dtype : otherwise;
};

function reduceAttrs(attrs: Attrs): ReduceAttrs {
  const { axis } = attrs;
  const isList = (value: typeof axis): value is ReadonlyArray<number> =>
    Array.isArray(value) && value.every((one) => typeof one === 'number');
  return {
    axis: typeof axis === 'number' || isList(axis) ? axis : null,
    keepdims: attrs.keepdims === true,
    exclude: attrs.exclude === true,
  };
}

const identityOfAll: Relation = (args, attrs, context) => {
  const [first, ...others] = args;
  if (first === undefined) return undefined;
  return others.every((other) => context.unify(other, first))
    ? identity([first], attrs, context)
    : undefined;
};

const withDType =
  (dtypeFor: (args: ReadonlyArray<Type>, attrs: Attrs) => DType): Relation =>
  (args, attrs, context) => {
    const x = tensorTypeArg(args, 0, context);
    return x === undefined ? undefined : tensorType(x.shape, dtypeFor(args, attrs));
  };

/** The standard relations. `TupleGetItem` belongs to projections, which `@baton/ir` types. */
export const standardRelations: ReadonlyArray<RelationInfo> = [
  { name: 'Identity', doc: 'All types are the same.', relation: identityOfAll },
  relation('IdentityComp', 1, 'The shape of the input, with dtype bool.', identityBool('any')),
  relation('Broadcast', 2, 'Two tensors of one dtype broadcast.', broadcast('any')),
  relation('BroadcastComp', 2, 'As `Broadcast`, with dtype bool.', broadcastBool('any')),
  relation('ShapeOf', 1, 'The type of the shape of a tensor.', (args, attrs, context) => {
    const data = tensorArg(args, 0, context);
    if (data === undefined) return undefined;
    return tensorType(data.shape.length === 0 ? [] : [data.shape.length], dtypeOf(attrs, 'int32'));
  }),
  relation(
    'Cast',
    1,
    'The same shape with another dtype.',
    withDType((_args, attrs) => dtypeOf(attrs, 'float32')),
  ),
  relation('CastLike', 2, 'The shape of one, the dtype of the other.', (args, _attrs, context) => {
    const x = tensorTypeArg(args, 0, context);
    const like = tensorTypeArg(args, 1, context);
    return x === undefined || like === undefined ? undefined : tensorType(x.shape, like.dtype);
  }),
  relation('Reduce', 1, 'Axes are reduced away.', (args, attrs, context) =>
    reduceType(args, reduceAttrs(attrs), context, 'any'),
  ),
  relation('ArgReduce', 1, 'As `Reduce`, with an index as result.', (args, attrs, context) =>
    reduceType(args, reduceAttrs(attrs), context, 'any', dtypeOf(attrs, 'int32')),
  ),
];
