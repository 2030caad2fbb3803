/** Elements computed in steps, each in a type of its own: the sums of integers that floats scale. */
import type { DType, Tensor } from '@baton/tensor';
import type { Scalar } from '../scalar/expr.ts';

/** An element of an argument, of a constant, or what a step makes of others. */
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

/** The element of an argument. */
export const argument = (index: number): Step => ({ _tag: 'OfArgument', index });

/** The element of a constant. */
export const ofConstant = (data: Tensor): Step => ({ _tag: 'OfConstant', data });

/** What an expression makes of elements, in a type; `of` is the one that it is computed in. */
export const step = (
  expr: Scalar,
  dtype: DType,
  args: ReadonlyArray<Step>,
  of: DType = dtype,
): Step => ({ _tag: 'StepOperation', expr, of, dtype, args });

/** What the steps of a call may depend on. */
export interface StepsSite<A> {
  readonly attrs: A;
  readonly dtypes: ReadonlyArray<DType>;
  readonly result: DType;
  /** The value of an argument, if it is a constant. */
  readonly constant: (index: number) => Tensor | undefined;
}
