/** Helpers for operators over spatial axes. */

/** The number of spatial axes. */
export type SpatialRank = 1 | 2 | 3;

/** The spatial axes in words. */
export const SPATIAL_AXES = {
  1: 'one spatial axis',
  2: 'two spatial axes',
  3: 'three spatial axes',
} as const;

/** A list of `count` times the same value. */
export const repeated = (value: number, count: number): ReadonlyArray<number> =>
  new Array<number>(count).fill(value);
