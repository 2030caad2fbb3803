/** The parts of formulas: operators as expressions of others, of which their gradients are taken. */
import type { Expr } from '@baton/ir';
import type { FormulaSite } from './column.ts';

/** (x − mean) / √(variance + ε) over these axes. */
export function standardized(
  { minus, times, mean, over, plus, op, number }: FormulaSite<unknown>,
  x: Expr,
  axes: ReadonlyArray<number>,
  epsilon: number,
): Expr {
  const centred = minus(x, mean(x, axes, true));
  const variance = mean(times(centred, centred), axes, true);
  return over(centred, op('sqrt', [plus(variance, number(epsilon))]));
}

/** The attributes of a scale and a shift along an axis. */
export interface AffineAttrs {
  readonly axis: number;
  readonly epsilon: number;
  readonly center: boolean;
  readonly scale: boolean;
}

/** gamma · y + beta, vectors along the axis of channels. */
export function affine(site: FormulaSite<AffineAttrs>, y: Expr): Expr {
  const {
    attrs: { axis, scale, center },
    args: [, gamma, beta],
  } = site;
  const scaled = scale ? site.times(y, alongAxis(site, gamma, axis)) : y;
  return center ? site.plus(scaled, alongAxis(site, beta, axis)) : scaled;
}

/** A vector in a shape that broadcasts along an axis of the first argument. */
export const alongAxis = (site: FormulaSite<unknown>, vector: Expr, axis: number): Expr =>
  site.withAxes(
    vector,
    Array.from({ length: site.rank(0) - 1 - frontAxis(site, axis) }, (_, i) => i + 1),
  );

/** An axis of the first argument, counted from the front. */
export const frontAxis = ({ rank }: Pick<FormulaSite<unknown>, 'rank'>, axis: number): number =>
  axis < 0 ? axis + rank(0) : axis;

/** The axes of the first argument but for these. */
export const otherAxes = (
  { rank }: Pick<FormulaSite<unknown>, 'rank'>,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> =>
  Array.from({ length: rank(0) }, (_, axis) => axis).filter((axis) => !axes.includes(axis));
