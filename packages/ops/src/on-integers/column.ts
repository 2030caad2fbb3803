/**
 * The column `onIntegers`: how an operator on real numbers computes on quantized integers. An
 * integer `q` represents `(q - zero point) * scale`. A rule returns the call on integers, and the
 * quantization of its result. Scales are above 0, and zero points are in the range of the dtype, as
 * quantization requires.
 *
 * **Source** Relay v0.16, FakeQuantizationToInteger; Jacob et al., Quantization and Training of
 * Neural Networks for Efficient Integer-Arithmetic-Only Inference, 2018.
 */
import { type Attrs, type Column, defineColumn, type Expr, type Type } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';

/** A quantization: which real numbers the integers of a tensor represent. */
export interface Affine {
  /** float32 or float64: a scalar, or a vector along `axis`. */
  readonly scale: Expr;
  /** int32: a scalar, or a vector along `axis`. */
  readonly zero: Expr;
  /** The axis of the vectors; -1 if both are scalars. */
  readonly axis: number;
  readonly dtype: DType;
}

export interface Integers {
  readonly _tag: 'Integers';
  readonly value: Expr;
  readonly affine: Affine;
}

export interface IntegerFields {
  readonly _tag: 'IntegerFields';
  readonly value: Expr;
  readonly fields: ReadonlyArray<Affine>;
}

export interface RealConstant {
  readonly _tag: 'RealConstant';
  readonly value: Expr;
  readonly data: Tensor;
}

/** An argument that represents no real numbers, such as indices. */
export interface OtherArgument {
  readonly _tag: 'OtherArgument';
  readonly value: Expr;
}

export type IntegerArgument = Integers | IntegerFields | RealConstant | OtherArgument;

export interface IntegerSite<A> {
  readonly attrs: A;
  readonly args: ReadonlyArray<IntegerArgument>;
  readonly types: ReadonlyArray<Type>;
  readonly result: Type;
  /**
   * The quantization that the result is finally brought to, if integers outside its range may be
   * clamped at once.
   */
  readonly wanted: () => Affine | undefined;
  readonly axisOf: (axis: number) => number | undefined;
  readonly rank: (expr: Expr) => number | undefined;
  /** The same call with other arguments, or another operator with other attributes. */
  readonly again: (
    args: ReadonlyArray<Expr>,
    as?: { readonly name: string; readonly attrs: Attrs },
  ) => Expr;
  readonly op: (name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  readonly tuple: (fields: ReadonlyArray<Expr>) => Expr;
  readonly constant: (value: Tensor) => Expr;
}

/** `undefined` if the call has to be computed on real numbers. */
export type IntegerRule<A> = (site: IntegerSite<A>) => Integers | IntegerFields | undefined;

export interface OnIntegers<A> {
  readonly rule: IntegerRule<A>;
  /**
   * Whether clamping its arguments to a range clamps its results to it, and changes nothing else:
   * it selects elements, or the larger of two.
   */
  readonly keepsRange?: boolean;
  /** Whether it is too lossy to use unless requested. */
  readonly isOptional?: boolean;
}

/** Absent if the operator cannot compute on integers. */
export const onIntegersColumn: Column<OnIntegers<Attrs>> = defineColumn('onIntegers');
