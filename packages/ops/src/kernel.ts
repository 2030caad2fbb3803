/** Kernels: functions that compute the values of operators. */
import { InvariantError, invariant } from '@baton/base';
import type { Attrs, Type } from '@baton/ir';
import {
  type DType,
  dtypeInfo,
  heap,
  isTensor,
  type Memory,
  type Shape,
  type Tensor,
} from '@baton/tensor';
import type { ScalarRule } from './kernels/scalar-rule.ts';
import { type OpValue, staticTensor } from './value.ts';

/** The memory of a kernel: the caller provides storage, and may reuse it later. */
export interface Out extends Memory {
  readonly type: Type;
  /** The shape of the result, whose type must be fully known. */
  readonly shape: Shape;
}

/** Memory for a kernel that is called directly. */
export const outOf = (type: Type, memory: Memory = heap): Out => new MemoryFor(type, memory.take);

/** Thrown if a kernel requests more storage at once than allowed; never leaves a call. */
export class NoRoom extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`${bytes} bytes`);
    this.bytes = bytes;
  }
}

/** Requests up to this size are always granted. */
const SMALL_BYTES = 2 ** 24;

/** Memory that grants at most `mostBytes` at once; small requests are always granted. */
export function memoryWithin(mostBytes: () => number, memory: Memory = heap): Memory {
  return {
    take: (dtype, count) => {
      const bytes = count * dtypeInfo(dtype).bytes;
      if (bytes > SMALL_BYTES && bytes > mostBytes()) throw new NoRoom(bytes);
      return memory.take(dtype, count);
    },
  };
}

/**
 * A class, since an object literal with a getter takes longer to create than most scalars take to
 * compute.
 */
class MemoryFor implements Out {
  readonly type: Type;
  readonly take: Memory['take'];

  constructor(type: Type, take: Memory['take']) {
    this.type = type;
    this.take = take;
  }

  get shape(): Shape {
    const known = staticTensor(this.type);
    if (known === undefined) throw new InvariantError('the result of a kernel has a known shape');
    return known.shape;
  }
}

/**
 * Computes the value of an operator. The arguments satisfy its type relation, so a kernel checks
 * nothing. It takes the storage of its result and of intermediates from `out`: intermediates are
 * freed when the kernel ends, the result once nothing reads it. The kernel may use its arguments
 * only while it runs.
 */
export interface Kernel {
  (args: ReadonlyArray<OpValue>, attrs: Attrs, out: Out): OpValue;
  /**
   * The kernel's rule for operands of rank 0 and one dtype. A replacement of the kernel has its own
   * rule, or none.
   */
  readonly scalar?: ScalarKernel;
}

/** `undefined` if the kernel has no rule for single elements of the dtype. */
export type ScalarKernel = (dtype: DType) => ScalarRule | undefined;

export interface KernelArgs {
  readonly value: (index: number) => OpValue;
  readonly tensor: (index: number) => Tensor;
  /** An axis of the tensor at `index` as a non-negative number. */
  readonly axis: (index: number, axis: number) => number;
  readonly tuple: (index: number) => ReadonlyArray<Tensor>;
}

export type TypedKernel<A> = (args: KernelArgs, attrs: A, out: Out) => OpValue;

/** Adapts a typed kernel to the operator table. */
export const untypedKernel =
  <A>(kernel: TypedKernel<A>): Kernel =>
  (args, attrs, out) =>
    // The attributes were made by the schema that carries `A`.
    kernel(kernelArgs(args), attrs as A, out);

export const withScalar = (kernel: Kernel, scalar: ScalarKernel): Kernel =>
  Object.assign(kernel, { scalar });

const kernelArgs = (values: ReadonlyArray<OpValue>): KernelArgs => ({
  value: (index) => {
    const value = values[index];
    invariant(value !== undefined, `there is an argument ${index}`);
    return value;
  },
  tensor: (index) => asTensor(values[index]),
  axis: (index, axis) => (axis < 0 ? axis + asTensor(values[index]).shape.length : axis),
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
