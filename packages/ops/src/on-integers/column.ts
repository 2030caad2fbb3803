/**
 * The column `onIntegers`: how an operator of real numbers computes on integers that stand for them.
 *
 * An integer `q` stands for `(q - zero point) * scale`. A rule gives the call on integers, and what
 * the integers of its result stand for. Scales are above 0, and zero points are numbers of their
 * type, as they are by the definition of quantization.
 *
 * **Source** Relay v0.16, FakeQuantizationToInteger; Jacob et al., Quantization and Training of
 * Neural Networks for Efficient Integer-Arithmetic-Only Inference, 2018.
 */
import { type Attrs, type Column, defineColumn, type Expr, type Type } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';

/** What integers of a type stand for. */
export interface Affine {
  /** A float32 or float64: one number, or a vector along `axis`. */
  readonly scale: Expr;
  /** An int32: one number, or a vector along `axis`. */
  readonly zero: Expr;
  /** The axis of the vectors; -1 if both are one number. */
  readonly axis: number;
  readonly dtype: DType;
}

/** A tensor of integers. */
export interface Integers {
  readonly _tag: 'Integers';
  readonly value: Expr;
  readonly affine: Affine;
}

/** A tuple of tensors of integers. */
export interface IntegerFields {
  readonly _tag: 'IntegerFields';
  readonly value: Expr;
  readonly fields: ReadonlyArray<Affine>;
}

/** A constant of real numbers. */
export interface RealConstant {
  readonly _tag: 'RealConstant';
  readonly value: Expr;
  readonly data: Tensor;
}

/** An argument that stands for no real numbers, such as indices. */
export interface OtherArgument {
  readonly _tag: 'OtherArgument';
  readonly value: Expr;
}

/** An argument of a call on integers. */
export type IntegerArgument = Integers | IntegerFields | RealConstant | OtherArgument;

/** The facts about a call for a rule. */
export interface IntegerSite<A> {
  readonly attrs: A;
  readonly args: ReadonlyArray<IntegerArgument>;
  /** The types of the arguments and of the result before. */
  readonly types: ReadonlyArray<Type>;
  readonly result: Type;
  /**
   * The quantization that the result is brought to in the end, if integers outside its range may be
   * brought to its bounds at once.
   */
  readonly wanted: () => Affine | undefined;
  /** The axis of the result that an axis of the first argument becomes. */
  readonly axisOf: (axis: number) => number | undefined;
  /** The number of axes of an expression. */
  readonly rank: (expr: Expr) => number | undefined;
  /** The call itself with other arguments, and as another operator with other attributes. */
  readonly again: (
    args: ReadonlyArray<Expr>,
    as?: { readonly name: string; readonly attrs: Attrs },
  ) => Expr;
  readonly op: (name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  readonly tuple: (fields: ReadonlyArray<Expr>) => Expr;
  readonly constant: (value: Tensor) => Expr;
}

/** The call on integers; `undefined` if it has to be computed with real numbers. */
export type IntegerRule<A> = (site: IntegerSite<A>) => Integers | IntegerFields | undefined;

/** How an operator computes on integers. */
export interface OnIntegers<A> {
  readonly rule: IntegerRule<A>;
  /**
   * Whether bringing its arguments within a range brings its results there, and changes nothing
   * else: it selects elements, or the larger of two.
   */
  readonly keepsRange?: boolean;
  /** Whether it loses so much that it is computed on integers only where this is asked for. */
  readonly isOptional?: boolean;
}

/** How the operator computes on integers; absent if it cannot. */
export const onIntegersColumn: Column<OnIntegers<Attrs>> = defineColumn('onIntegers');
