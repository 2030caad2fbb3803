/** Helpers for operators on spatial axes. */

export type SpatialRank = 1 | 2 | 3;

export const SPATIAL_AXES = {
  1: 'one spatial axis',
  2: 'two spatial axes',
  3: 'three spatial axes',
} as const;

export const repeated = (value: number, count: number): ReadonlyArray<number> =>
  new Array<number>(count).fill(value);
