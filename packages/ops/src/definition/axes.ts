/** Axes in definitions. */
import type { Expr } from '@baton/ir';
import type { DefinitionSite, FactSite } from './site.ts';

/** A vector in a shape that broadcasts along an axis of the first argument. */
export const alongAxis = (site: DefinitionSite<unknown>, vector: Expr, axis: number): Expr =>
  site.withAxes(
    vector,
    Array.from({ length: site.rank(0) - 1 - frontAxis(site, axis) }, (_, i) => i + 1),
  );

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
