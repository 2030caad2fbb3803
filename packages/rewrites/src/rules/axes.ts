/** Axes and shapes in rules. */
import { type AttrValue, isStaticDim } from '@baton/ir';
import type { MatchedValue } from '../rule/matched-value.ts';

/** An axis counted from the front. */
export const fromFront = (axis: AttrValue, rank: number): number => {
  const given = Number(axis);
  return given < 0 ? given + rank : given;
};

/** The number of axes of `x` after the axis `a`: as many new ones lay a vector along `a`. */
export const axesAfter = ({
  a,
  x,
}: {
  readonly a: AttrValue;
  readonly x: MatchedValue;
}): number | undefined => x.dims && x.dims.length - 1 - fromFront(a, x.dims.length);

/** The sizes of a tensor, if all are known. */
export const sizesOf = ({ dims }: MatchedValue): ReadonlyArray<number> | undefined => {
  const known = dims?.filter(isStaticDim);
  return known?.length === dims?.length ? known : undefined;
};

/** The attribute `allowzero` of a reshape to these sizes: 1 where a 0 is a size, and no code. */
export const allowZero = (sizes: ReadonlyArray<number> | undefined): number | undefined =>
  sizes && (sizes.includes(0) ? 1 : 0);
