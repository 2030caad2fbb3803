/** Helpers for operators over spatial axes. */

/** The number of spatial axes. */
export type SpatialRank = 1 | 2 | 3;

/** A list of `count` times the same value. */
export const repeated = (value: number, count: number): ReadonlyArray<number> =>
  new Array<number>(count).fill(value);
