/**
 * What an operator does to the bounds of its arguments' numbers, and where it is finite. Generated
 * programs stay finite, and exact where that is asked, by these facts.
 */
import { type Attrs, type Column, defineColumn, type TensorType, type Type } from '@baton/ir';

/**
 * What the numbers of a tensor are known to be: every finite program keeps them in bounds, and an
 * exact one on a grid.
 */
export interface Facts {
  readonly lo: number;
  readonly hi: number;
  /**
   * How many binary digits behind the point the numbers need: 3 for multiples of 1/8, 0 for
   * integers, infinitely many for numbers that may be any.
   */
  readonly fraction: number;
}

/** From the first to the second, both included. */
export type Interval = readonly [lo: number, hi: number];

/** Where an operator is finite and moderate: everywhere, or on an interval for each argument. */
export type Domain = 'any' | ReadonlyArray<Interval | undefined>;

/** A call, as far as its numbers are concerned. */
export interface BoundsSite<A = Attrs> {
  readonly args: ReadonlyArray<Type>;
  readonly attrs: A;
  readonly result: TensorType;
  /** Elements of the first argument for each one of the result: what a sum adds up. */
  readonly ratio: number;
  /** Multiplications for each element of the result. */
  readonly products: number;
}

/** The facts of a result from those of the arguments. */
export type BoundsRule<A = Attrs> = (facts: ReadonlyArray<Facts>, site: BoundsSite<A>) => Facts;

/** What is known of the numbers of one operator. */
export interface Bounds {
  /** For each argument, the interval on which the operator is finite and moderate. */
  readonly domain?: ReadonlyArray<Interval | undefined>;
  /** The facts of the result. Without it: those of the arguments, and 0. */
  readonly facts?: BoundsRule;
}

/** What operators do to numbers. */
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

/** The facts that hold of each of several values. */
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
