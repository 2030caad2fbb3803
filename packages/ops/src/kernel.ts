/** Kernels: how an operator's value is computed. */
import { InvariantError, invariant } from '@baton/base';
import type { Attrs, Type } from '@baton/ir';
import { type DType, isTensor, type Shape, type Tensor } from '@baton/tensor';
import type { ScalarRule } from './kernels/scalar-rule.ts';
import { type OpValue, staticTensor } from './value.ts';

/**
 * The value of an operator. The arguments satisfy its type relation, and `result` is what the
 * relation answered for them: a kernel checks nothing, and reads the result's shape from there.
 */
export interface Kernel {
  (args: ReadonlyArray<OpValue>, attrs: Attrs, result: Type): OpValue;
  /**
   * The kernel on operands that are all of rank 0 and of one dtype, element by element: made of
   * the same rule as the kernel itself. A kernel put in its place has its own, or none.
   */
  readonly scalar?: ScalarKernel;
}

/** What a kernel does to single elements of a dtype, if it can be done on them. */
export type ScalarKernel = (dtype: DType) => ScalarRule | undefined;

/** The arguments of a kernel, by position. */
export interface KernelArgs {
  /** Whatever is at `index`. */
  readonly value: (index: number) => OpValue;
  /** The tensor at `index`. */
  readonly tensor: (index: number) => Tensor;
  /** The tensors of the tuple at `index`. */
  readonly tuple: (index: number) => ReadonlyArray<Tensor>;
}

/** A kernel that knows its operator's attributes. */
export type TypedKernel<A> = (args: KernelArgs, attrs: A, result: Type) => OpValue;

/** A typed kernel as the operator table stores it. */
export const untypedKernel =
  <A>(kernel: TypedKernel<A>): Kernel =>
  (args, attrs, result) =>
    // The attributes were made by the schema that carries `A`.
    kernel(kernelArgs(args), attrs as A, result);

/** A kernel that can also be run on single elements. */
export const withScalar = (kernel: Kernel, scalar: ScalarKernel): Kernel =>
  Object.assign(kernel, { scalar });

/** The shape of a result whose type is known in full. */
export function resultShape(result: Type): Shape {
  const known = staticTensor(result);
  if (known === undefined) throw new InvariantError('the result of a kernel has a known shape');
  return known.shape;
}

const kernelArgs = (values: ReadonlyArray<OpValue>): KernelArgs => ({
  value: (index) => {
    const value = values[index];
    invariant(value !== undefined, `there is an argument ${index}`);
    return value;
  },
  tensor: (index) => asTensor(values[index]),
  tuple: (index) => {
    const value = values[index];
    invariant(value !== undefined && !isTensor(value), `argument ${index} is a tuple`);
    return value.map(asTensor);
  },
});

function asTensor(value: OpValue | undefined): Tensor {
  invariant(value !== undefined && isTensor(value), 'a kernel has a tensor where it wants one');
  return value;
}
