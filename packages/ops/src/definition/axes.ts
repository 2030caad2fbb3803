/** Axes in definitions. */
import type { FactSite } from './site.ts';

/** An axis of the first argument, counted from the front. */
export const frontAxis = ({ rank }: Pick<FactSite<unknown>, 'rank'>, axis: number): number =>
  axis < 0 ? axis + rank(0) : axis;

/** The axes of the first argument but for these. */
export const otherAxes = (
  { rank }: Pick<FactSite<unknown>, 'rank'>,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> =>
  Array.from({ length: rank(0) }, (_, axis) => axis).filter((axis) => !axes.includes(axis));

/** The number of axes of the first argument behind `axis`: as many new ones lay a vector along it. */
export const axesAfter = (site: FactSite<{ readonly axis: number }>): number =>
  site.rank(0) - 1 - frontAxis(site, site.attrs.axis);
