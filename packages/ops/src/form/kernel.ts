/** The kernels that follow from forms. */
import { invariant } from '@baton/base';
import type { Attrs, Type } from '@baton/ir';
import {
  cast,
  isTensor,
  type Memory,
  reshapeView,
  type Shape,
  sameShape,
  scalar,
  type Tensor,
} from '@baton/tensor';
import { type Kernel, type Out, type TypedKernel, untypedKernel, withScalar } from '../kernel.ts';
import { concatenate, stack } from '../kernels/concatenate.ts';
import { contract } from '../kernels/contraction.ts';
import { mapScalar } from '../kernels/elementwise.ts';
import { unpacked } from '../kernels/packed-weight.ts';
import { padConstant } from '../kernels/pad.ts';
import { slide } from '../kernels/pool.ts';
import { centred } from '../kernels/quantized.ts';
import { reduce } from '../kernels/reduce.ts';
import { scalarRule } from '../kernels/scalar-rule.ts';
import { scan } from '../kernels/scan.ts';
import { scatterElements, scatterNd } from '../kernels/scatter.ts';
import { softmax } from '../kernels/softmax.ts';
import { take } from '../kernels/take.ts';
import { type Move, moved } from '../moves.ts';
import { channelShape } from '../relation/channels.ts';
import { arityOf } from '../scalar/expr.ts';
import { type OpValue, staticTensor } from '../value.ts';
import { type CallForm, formAt, type Known } from './call-form.ts';
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

const convertKernel: Kernel = untypedKernel((args, _attrs, out) =>
  cast(args.tensor(0), resultOf(out).dtype, out),
);

/** The only result of a kernel. */
function resultOf({ type }: Out): Known {
  const known = staticTensor(type);
  invariant(known !== undefined, 'the result of a kernel is a tensor of known type');
  return known;
}

/**
 * The kernel of a form; `own` is the operator's. A map, a conversion, a view, an interpolation and
 * steps are computed by `own` if there is one, other forms where they do not cover the call.
 */
export function kernelOfForm<A>(form: Form<A>, own?: Kernel): Kernel | undefined {
  switch (form._tag) {
    case 'Map':
      return own ?? mapKernel(form);
    case 'Convert':
      return own ?? convertKernel;
    case 'View':
      return own ?? viewKernel(form);
    case 'Interpolate':
    case 'Steps':
      return own;
    default:
      // The attributes were made by the schema that carries `A`.
      return kernelOfCalls(form as Form, own);
  }
}

function kernelOfCalls(form: Form, own: Kernel | undefined): Kernel {
  // The last call with the same attributes: a program repeats it with the same sizes.
  const last = new WeakMap<
    Attrs,
    { readonly types: ReadonlyArray<Known>; readonly call?: CallForm }
  >();
  return (args, attrs, out) => {
    const fields = args.map((arg) => (isTensor(arg) ? [arg] : arg.filter(isTensor)));
    const tensors = fields.flat();
    const result = resultOf(out);
    const types = [...tensors, result];
    let known = last.get(attrs);
    if (known === undefined || !types.every((type, i) => isSameType(type, known?.types[i]))) {
      const call = formAt(form, {
        attrs,
        args: fields,
        isTuple: !isTensor(args[0] as OpValue),
        results: [result],
      });
      // Without the storage, which a kernel must not keep.
      known = { types: types.map(({ shape, dtype }) => ({ shape, dtype })), ...(call && { call }) };
      last.set(attrs, known);
    }
    const value = known.call && computed(known.call, tensors, result, out);
    const given = value ?? own?.(args, attrs, out);
    invariant(given !== undefined, 'the form of the operator covers the call');
    return given;
  };
}

const isSameType = (a: Known, b: Known | undefined): boolean =>
  b !== undefined && a.dtype === b.dtype && sameShape(a.shape, b.shape);

function computed(
  call: CallForm,
  tensors: ReadonlyArray<Tensor>,
  result: Known,
  out: Memory,
): Tensor | undefined {
  // The relation of the operator has checked their number.
  const [data, second, third] = tensors as readonly [Tensor, Tensor, Tensor];
  switch (call._tag) {
    case 'Reduce':
      return reduce(data, call, result, out);
    case 'Window':
      return slide(data, call, out);
    case 'Gather':
      return take(data, second, call, out);
    case 'Scatter':
      return call.axis === undefined
        ? scatterNd(data, second, third, call.mode, out)
        : scatterElements(data, second, third, call.axis, call.mode, out);
    case 'Scan':
      return scan(cast(data, result.dtype, out), call, out);
    case 'Pad':
      return padConstant(data, call, second, out);
    case 'Concat':
      return (call.isNew ? stack : concatenate)(tensors, call.axis, out);
    case 'Contract':
      return contract(call, operandsOf(call, tensors, out), result.dtype, out);
    case 'Softmax':
      return softmax(data, call, out);
    default:
      return undefined;
  }
}

/** The operands of a contraction, without their zero points, and without blocks. */
export function operandsOf(
  { zeroPoints, blocks }: Extract<CallForm, { readonly _tag: 'Contract' }>,
  tensors: ReadonlyArray<Tensor>,
  memory: Memory,
): ReadonlyArray<Tensor> {
  const at = (index: number): Tensor => tensors[index] as Tensor;
  if (blocks !== undefined) {
    const depth = at(0).shape.at(-1) as number;
    const packed = { weight: at(1), scale: at(2), zero: at(3) };
    return [at(0), unpacked(packed, { ...blocks, depth }, memory)];
  }
  if (zeroPoints === undefined) return tensors;
  const { data, weight, axis } = zeroPoints;
  return [centred(at(0), at(data), 0, memory), centred(at(1), at(weight), axis, memory)];
}
