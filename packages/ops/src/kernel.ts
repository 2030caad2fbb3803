/** Kernels, which compute the values of operators. */
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

/** The memory of a kernel: the caller provides storage, and may use it again later. */
export interface Out extends Memory {
  /** The operator's result type for the arguments. */
  readonly type: Type;
  /** The shape of a result of fully known type. */
  readonly shape: Shape;
}

/** Memory for a kernel that runs on its own. */
export const outOf = (type: Type, memory: Memory = heap): Out => new MemoryFor(type, memory.take);

/** Thrown where a kernel wants more storage at once than it may have; never leaves a call. */
export class NoRoom extends Error {
  /** The bytes that it wants. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`${bytes} bytes`);
    this.bytes = bytes;
  }
}

/** Storage that is given without a question. */
const SMALL_BYTES = 2 ** 24;

/** Memory that gives at most so many bytes at once; small ones are given without a question. */
export function memoryWithin(mostBytes: () => number, memory: Memory = heap): Memory {
  return {
    take: (dtype, count) => {
      const bytes = count * dtypeInfo(dtype).bytes;
      if (bytes > SMALL_BYTES && bytes > mostBytes()) throw new NoRoom(bytes);
      return memory.take(dtype, count);
    },
  };
}

/** A class, since a getter in an object literal takes longer to make than most scalars to compute. */
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
 * The value of an operator. The arguments satisfy its type relation: a kernel checks nothing. It
 * takes the storage of its result, and of intermediate data, from `out`: intermediate storage is
 * free again when the kernel ends, and the result's once nothing reads it. The kernel may use its
 * arguments only while it runs.
 */
export interface Kernel {
  (args: ReadonlyArray<OpValue>, attrs: Attrs, out: Out): OpValue;
  /**
   * The kernel on operands of rank 0 and one dtype, by the same rule as the kernel itself. A
   * replacement of the kernel has its own rule, or none.
   */
  readonly scalar?: ScalarKernel;
}

/** The rule of a kernel for single elements of a dtype, if it has one. */
export type ScalarKernel = (dtype: DType) => ScalarRule | undefined;

/** The arguments of a kernel, by position. */
export interface KernelArgs {
  /** The value at `index`. */
  readonly value: (index: number) => OpValue;
  /** The tensor at `index`. */
  readonly tensor: (index: number) => Tensor;
  /** `axis` of the tensor at `index`, counted from the front. */
  readonly axis: (index: number, axis: number) => number;
  /** The tensors of the tuple at `index`. */
  readonly tuple: (index: number) => ReadonlyArray<Tensor>;
}

/** A kernel that knows its operator's attributes. */
export type TypedKernel<A> = (args: KernelArgs, attrs: A, out: Out) => OpValue;

/** A typed kernel in the form of the operator table. */
export const untypedKernel =
  <A>(kernel: TypedKernel<A>): Kernel =>
  (args, attrs, out) =>
    // The attributes were made by the schema that carries `A`.
    kernel(kernelArgs(args), attrs as A, out);

/** A kernel with a rule for single elements. */
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
