/** The interpreter's representation of tensors of rank 0. */
import type { Element } from '@baton/ops';
import {
  type DType,
  isBig,
  readBigInt,
  readNumber,
  scalar,
  type Tensor,
  type TensorData,
} from '@baton/tensor';

const noDims: ReadonlyArray<number> = [];

/**
 * A tensor of rank 0 that keeps its element as a number, and makes a typed array of it only when
 * `data` is read. A program with many scalars makes one object for each, not four.
 */
export class Scalar implements Tensor {
  readonly dtype: DType;
  /** A bigint of a 64-bit integer, else a number; bool is 0 or 1. */
  readonly element: Element;
  private stored: TensorData | undefined;

  constructor(dtype: DType, element: Element) {
    this.dtype = dtype;
    this.element = element;
    this.stored = undefined;
  }

  get _tag(): 'Tensor' {
    return 'Tensor';
  }

  get shape(): ReadonlyArray<number> {
    return noDims;
  }

  get strides(): ReadonlyArray<number> {
    return noDims;
  }

  get offset(): number {
    return 0;
  }

  get data(): TensorData {
    this.stored ??= scalar(this.element, this.dtype).data;
    return this.stored;
  }
}

/** A tensor of rank 0 as a {@link Scalar}; any other unchanged. */
export function boxed(t: Tensor): Tensor {
  if (t.shape.length > 0 || t instanceof Scalar) return t;
  return new Scalar(t.dtype, isBig(t.dtype) ? readBigInt(t, 0) : readNumber(t, 0));
}
