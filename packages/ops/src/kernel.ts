/** Kernels: how an operator's value is computed. */
import { InvariantError, invariant } from '@baton/base';
import type { Attrs, Type } from '@baton/ir';
import { type DType, heap, isTensor, type Memory, type Shape, type Tensor } from '@baton/tensor';
import type { ScalarRule } from './kernels/scalar-rule.ts';
import { type OpValue, staticTensor } from './value.ts';

/** Where a kernel writes: storage comes from whoever called it, and may be used again later. */
export interface Out extends Memory {
  /** What the operator's type relation answered for the arguments. */
  readonly type: Type;
  /** The shape of a result whose type is known in full. */
  readonly shape: Shape;
}

/** What a kernel writes to if nobody gives it anything: memory of its own. */
export const outOf = (type: Type, memory: Memory = heap): Out => ({
  type,
  get shape() {
    const known = staticTensor(type);
    if (known === undefined) throw new InvariantError('the result of a kernel has a known shape');
    return known.shape;
  },
  take: memory.take,
});

/**
 * The value of an operator. The arguments satisfy its type relation: a kernel checks nothing. It
 * takes the storage of its result from `out`, and that of all that it needs on the way: what the
 * result does not lie in is free again when the kernel ends, and so is the result once nothing
 * reads it. Arguments are the kernel's for as long as it runs.
 */
export interface Kernel {
  (args: ReadonlyArray<OpValue>, attrs: Attrs, out: Out): OpValue;
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
export type TypedKernel<A> = (args: KernelArgs, attrs: A, out: Out) => OpValue;

/** A typed kernel as the operator table stores it. */
export const untypedKernel =
  <A>(kernel: TypedKernel<A>): Kernel =>
  (args, attrs, out) =>
    // The attributes were made by the schema that carries `A`.
    kernel(kernelArgs(args), attrs as A, out);

/** A kernel that can also be run on single elements. */
export const withScalar = (kernel: Kernel, scalar: ScalarKernel): Kernel =>
  Object.assign(kernel, { scalar });

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
