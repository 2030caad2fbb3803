/**
 * The bounds of values: how an operator changes them, and where it is finite. With them, generated
 * programs stay finite, and exact if required.
 */
import { type Attrs, type Column, defineColumn, type TensorType, type Type } from '@baton/ir';

/**
 * Bounds of the elements of a tensor: every finite program stays within them, and an exact one on a
 * grid.
 */
export interface Facts {
  readonly lo: number;
  readonly hi: number;
  /**
   * The number of binary digits after the point: 3 for multiples of 1/8, 0 for integers, infinity
   * for arbitrary numbers.
   */
  readonly fraction: number;
}

/** Both ends are included. */
export type Interval = readonly [lo: number, hi: number];

/** Where an operator is finite and moderate: everywhere, or in one interval for each argument. */
export type Domain = 'any' | ReadonlyArray<Interval | undefined>;

export interface BoundsSite<A = Attrs> {
  readonly args: ReadonlyArray<Type>;
  readonly attrs: A;
  readonly result: TensorType;
  /** Elements of the first argument for each one of the result: the number of terms of a sum. */
  readonly ratio: number;
  /** Multiplications for each element of the result. */
  readonly products: number;
}

export type BoundsRule<A = Attrs> = (facts: ReadonlyArray<Facts>, site: BoundsSite<A>) => Facts;

/** The least and the greatest value that a result can hold besides NaN. */
export type ResultRange = (attrs: Attrs) => readonly [least: number, most: number];

export interface Bounds {
  readonly domain?: ReadonlyArray<Interval | undefined>;
  /** Default: the hull of the arguments' facts and 0. */
  readonly facts?: BoundsRule;
  readonly range?: ResultRange;
}

export const boundsColumn: Column<Bounds> = defineColumn('bounds');

export const between = (
  lo: number,
  hi: number,
  fraction: number = Number.POSITIVE_INFINITY,
): Facts => ({
  lo,
  hi,
  fraction,
});

export const hull = (all: ReadonlyArray<Facts>): Facts =>
  all.reduce((a, b) => ({
    lo: Math.min(a.lo, b.lo),
    hi: Math.max(a.hi, b.hi),
    fraction: Math.max(a.fraction, b.fraction),
  }));

export const magnitude = (facts: Facts): number => Math.max(Math.abs(facts.lo), Math.abs(facts.hi));

export const ZERO: Facts = between(0, 0, 0);
