/**
 * The passage of a per-channel scale through an operator, stated once for each operator as an
 * equation.
 *
 * Two engines read it: the pass FoldScaleAxis reads an equation from left to right (a scale on the
 * input, "forward") or from right to left (a scale on the result, "backward"), and a rule of the
 * e-graph is the same equation with its condition.
 *
 * In the equations `x * s` multiplies `x` by a tensor `s` that varies along some axes of `x` and is
 * broadcast along the others.
 *
 * **Source** [passes §2.1](https://batonjs.github.io/baton/spec/passes#2.1) to
 * [§2.3](https://batonjs.github.io/baton/spec/passes#2.3).
 */
import { type Attrs, type Column, defineColumn, type Type } from '@baton/ir';
import type { Tensor } from '@baton/tensor';

export interface ScaleSite {
  readonly args: ReadonlyArray<Type>;
  readonly result: Type;
  readonly attrs: Attrs;
  readonly constant: (argIndex: number) => Tensor | undefined;
}

/** `op(x, s) = x * s = op(s, x)`: the origin of a scale. */
export interface ScaleOrigin {
  readonly _tag: 'ScaleOrigin';
}

/** `op(x, y) * s = op(x * s, y * s)`, and the same for `op(y, x)`: sums and differences. */
export interface ScaleSum {
  readonly _tag: 'ScaleSum';
}

/** `op(x, b) * s = op(x * s, b * s)` for a vector `b` along one axis of `x`. */
export interface ScaleBias {
  readonly _tag: 'ScaleBias';
  /** The axis of `b`, the only one for a scale. */
  readonly axis: (site: ScaleSite) => number | undefined;
}

/** `op(x * s, ..) = op(x, ..) * s`, with `x` the first argument. */
export interface ScaleMap {
  readonly _tag: 'ScaleMap';
  /** The equation holds only for a positive scale. */
  readonly needsPositive: boolean;
  readonly beyondTvm: boolean;
  /**
   * For each axis of the result, the axis of `x` that a scale along it comes from; `undefined` if
   * the equation does not hold along that axis, or (for all) if it does not hold at all.
   */
  readonly axes: (site: ScaleSite) => ReadonlyArray<number | undefined> | undefined;
}

/** Axes of one tensor and the corresponding axes of the weight, in order, both ascending. */
export interface ScaleMeeting {
  readonly tensor: ReadonlyArray<number>;
  readonly weight: ReadonlyArray<number>;
}

/** `op(x * s, w) = op(x, w * s)` and `op(x, w) * t = op(x, w * t)`: convolutions and products. */
export interface ScaleProduct {
  readonly _tag: 'ScaleProduct';
  readonly beyondTvm: (site: ScaleSite) => boolean;
  /** Axes of `x`, and the axes of `w` that absorb their scale. */
  readonly input: (site: ScaleSite) => ScaleMeeting | undefined;
  /** Axes of the result, and the axes of `w` that absorb their scale. */
  readonly output: (site: ScaleSite) => ScaleMeeting | undefined;
}

/**
 * `op((x * s, y * t)) = op((x, y)) * u`, with `u` the concatenation of `s` and `t` for a scale
 * along the axis of concatenation, and `u = s = t` along any other.
 */
export interface ScaleConcatenation {
  readonly _tag: 'ScaleConcatenation';
  readonly beyondTvm: true;
  readonly axis: (site: ScaleSite) => number | undefined;
}

export type ScaleAxis =
  | ScaleOrigin
  | ScaleSum
  | ScaleBias
  | ScaleMap
  | ScaleProduct
  | ScaleConcatenation;

/** Absent if no scale passes through the operator. */
export const scaleAxisColumn: Column<ScaleAxis> = defineColumn('scaleAxis');
