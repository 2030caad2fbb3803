/**
 * The bounds of numbers: how an operator changes them, and where it is finite. With these facts
 * generated programs stay finite, and exact if required.
 */
import { type Attrs, type Column, defineColumn, type TensorType, type Type } from '@baton/ir';

/**
 * The known facts about the numbers of a tensor: every finite program keeps them in bounds, and an
 * exact one on a grid.
 */
export interface Facts {
  readonly lo: number;
  readonly hi: number;
  /**
   * The binary digits behind the point that the numbers need: 3 for multiples of 1/8, 0 for
   * integers, infinitely many for arbitrary numbers.
   */
  readonly fraction: number;
}

/** From the first to the second, both included. */
export type Interval = readonly [lo: number, hi: number];

/** The domain on which an operator is finite and moderate: all numbers, or one interval each. */
export type Domain = 'any' | ReadonlyArray<Interval | undefined>;

/** The facts about a call that bounds depend on. */
export interface BoundsSite<A = Attrs> {
  readonly args: ReadonlyArray<Type>;
  readonly attrs: A;
  readonly result: TensorType;
  /** Elements of the first argument for each one of the result: the terms of a sum. */
  readonly ratio: number;
  /** Multiplications for each element of the result. */
  readonly products: number;
}

/** The facts of a result from the facts of the arguments. */
export type BoundsRule<A = Attrs> = (facts: ReadonlyArray<Facts>, site: BoundsSite<A>) => Facts;

/** The least and the greatest number that a result can hold besides NaN, by the attributes. */
export type ResultRange = (attrs: Attrs) => readonly [least: number, most: number];

/** The bounds of one operator. */
export interface Bounds {
  /** For each argument, the interval on which the operator is finite and moderate. */
  readonly domain?: ReadonlyArray<Interval | undefined>;
  /** The facts of the result. Default: the facts of the arguments, and of 0. */
  readonly facts?: BoundsRule;
  /** The least and the greatest number that a result can hold besides NaN, whatever the arguments. */
  readonly range?: ResultRange;
}

/** The bounds of operators' results. */
export const boundsColumn: Column<Bounds> = defineColumn('bounds');

/** Facts of numbers between two bounds. */
export const between = (
  lo: number,
  hi: number,
  fraction: number = Number.POSITIVE_INFINITY,
): Facts => ({
  lo,
  hi,
  fraction,
});

/** The facts that hold of several values together. */
export const hull = (all: ReadonlyArray<Facts>): Facts =>
  all.reduce((a, b) => ({
    lo: Math.min(a.lo, b.lo),
    hi: Math.max(a.hi, b.hi),
    fraction: Math.max(a.fraction, b.fraction),
  }));

/** The greatest absolute value. */
export const magnitude = (facts: Facts): number => Math.max(Math.abs(facts.lo), Math.abs(facts.hi));

/** The facts of 0. */
export const ZERO: Facts = between(0, 0, 0);
