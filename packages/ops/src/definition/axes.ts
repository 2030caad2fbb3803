/** Arithmetic on axes, for definitions. */
import type { FactSite } from './site.ts';

/** An axis of the first argument as a non-negative index. */
export const frontAxis = ({ rank }: Pick<FactSite<unknown>, 'rank'>, axis: number): number =>
  axis < 0 ? axis + rank(0) : axis;

export const otherAxes = (
  { rank }: Pick<FactSite<unknown>, 'rank'>,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> =>
  Array.from({ length: rank(0) }, (_, axis) => axis).filter((axis) => !axes.includes(axis));

/**
 * The number of axes of the first argument after `axis`: that many new axes align a vector with it.
 */
export const axesAfter = (site: FactSite<{ readonly axis: number }>): number =>
  site.rank(0) - 1 - frontAxis(site, site.attrs.axis);
