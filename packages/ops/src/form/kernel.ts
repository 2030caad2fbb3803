/** Kernels derived from forms: of maps, element by element, of conversions, and of views. */
import { invariant } from '@baton/base';
import type { TensorType, Type } from '@baton/ir';
import {
  cast,
  type DType,
  isTensor,
  reshapeView,
  type Shape,
  scalar,
  type Tensor,
} from '@baton/tensor';
import { type Kernel, type TypedKernel, untypedKernel, withScalar } from '../kernel.ts';
import { mapScalar } from '../kernels/elementwise.ts';
import { scalarRule } from '../kernels/scalar-rule.ts';
import { type Move, moved } from '../moves.ts';
import { channelShape } from '../relation/channels.ts';
import { arityOf } from '../scalar/expr.ts';
import { type OpValue, staticTensor } from '../value.ts';
import type { Form, MapForm, ViewForm } from './form.ts';

/** It has a rule for single elements if its only operands are the arguments. */
export function mapKernel<A>({ expr, numbers, vectorAlong }: MapForm<A>): Kernel {
  const arity = arityOf(expr);
  const typed: TypedKernel<A> = (args, attrs, out) => {
    const x = args.tensor(0);
    const last = numbers?.(attrs, x.dtype).map((value) => scalar(value, x.dtype, out)) ?? [];
    const operands: [Tensor, ...Tensor[]] = [x];
    for (let i = 1; i < arity - last.length; i++) {
      const other = args.tensor(i);
      const dims = vectorAlong && channelShape(x.shape, vectorAlong(attrs));
      operands.push(dims === undefined ? other : reshapeView(other, dims, out));
    }
    operands.push(...last);
    return mapScalar(expr, operands, out);
  };
  const kernel = untypedKernel(typed);
  if (numbers !== undefined || vectorAlong !== undefined) return kernel;
  return withScalar(kernel, (dtype) => scalarRule(expr, dtype));
}

/** Each result is a view of an argument's storage, unless a reshape needs a copy. */
export const viewKernel =
  <A>({ views, argument = 0 }: ViewForm<A>): Kernel =>
  (args, attrs, out): OpValue => {
    const looked = args[argument] as OpValue;
    const tensors = isTensor(looked) ? [looked] : looked.filter(isTensor);
    const results = shapesOf(out.type);
    const given = tensors.map(({ shape }) => shape);
    // The attributes were made by the schema that carries `A`.
    const found = views({ attrs: attrs as A, given, results });
    invariant(found !== undefined, 'the sizes of a call decide its views');
    const seen = found.map(({ of, moves }) =>
      // If the sizes are numbers, so are the moves.
      moved(tensors[of] as Tensor, moves as ReadonlyArray<Move>, out),
    );
    return out.type._tag === 'TupleType' ? seen : (seen[0] as Tensor);
  };

const shapesOf = (type: Type): ReadonlyArray<Shape> =>
  (type._tag === 'TupleType' ? type.fields : [type]).map(
    (field) => staticTensor(field)?.shape ?? [],
  );

const convertKernel: Kernel = untypedKernel((args, _attrs, out) => {
  const { dtype } = out.type as TensorType;
  // The result of a kernel has a known dtype.
  return cast(args.tensor(0), dtype as DType, out);
});

/** `undefined` if the derived kernel would be slower than one written by hand. */
export function kernelOfForm<A>(form: Form<A>): Kernel | undefined {
  if (form._tag === 'Map') return mapKernel(form);
  if (form._tag === 'Convert') return convertKernel;
  return form._tag === 'View' ? viewKernel(form) : undefined;
}
