/**
 * Elements computed in steps, each in its own dtype: integer sums that floats scale, for example.
 */
import type { DType, Tensor } from '@baton/tensor';
import type { Scalar } from '../scalar/expr.ts';

/** An element of an argument or of a constant, or an operation on other steps. */
export type Step =
  | { readonly _tag: 'OfArgument'; readonly index: number }
  | { readonly _tag: 'OfConstant'; readonly data: Tensor }
  | StepOperation;

/** A scalar expression of elements, computed in the type `of` and converted to `dtype`. */
export interface StepOperation {
  readonly _tag: 'StepOperation';
  readonly expr: Scalar;
  readonly of: DType;
  readonly dtype: DType;
  readonly args: ReadonlyArray<Step>;
}

export const argument = (index: number): Step => ({ _tag: 'OfArgument', index });

export const ofConstant = (data: Tensor): Step => ({ _tag: 'OfConstant', data });

/** `of` is the dtype of the computation. */
export const step = (
  expr: Scalar,
  dtype: DType,
  args: ReadonlyArray<Step>,
  of: DType = dtype,
): Step => ({ _tag: 'StepOperation', expr, of, dtype, args });

export interface StepsSite<A> {
  readonly attrs: A;
  readonly dtypes: ReadonlyArray<DType>;
  readonly result: DType;
  /** `undefined` if the argument is not a constant. */
  readonly constant: (index: number) => Tensor | undefined;
}
