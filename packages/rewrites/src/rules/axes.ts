/** Axes and shapes in rules. */
import { type AttrValue, dimsEqual, isStaticDim } from '@baton/ir';
import type { Term } from '../rule/term.ts';

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
  readonly x: Term;
}): number | undefined => x.dims && x.dims.length - 1 - fromFront(a, x.dims.length);

/** The sizes of a tensor, if all are known. */
export const sizesOf = ({ dims }: Term): ReadonlyArray<number> | undefined => {
  const known = dims?.filter(isStaticDim);
  return known?.length === dims?.length ? known : undefined;
};

/** The attribute `allowzero` of a reshape to these sizes: 1 where a 0 is a size, and no code. */
export const allowZero = (sizes: ReadonlyArray<number> | undefined): number | undefined =>
  sizes && (sizes.includes(0) ? 1 : 0);

/** Whether two tensors are known to have the same shape, which may be a variable. */
export function haveSameShape(a: Term, b: Term): boolean {
  const [left, right] = [a.dims, b.dims];
  if (left === undefined || right === undefined) return isSameVariable(a, b);
  return left.length === right.length && left.every((dim, i) => dimsEqual(dim, right[i] ?? -1));
}

function isSameVariable({ type: a }: Term, { type: b }: Term): boolean {
  if (a?._tag !== 'TensorType' || b?._tag !== 'TensorType') return false;
  return '_tag' in a.shape && a.shape._tag === 'TypeVar' && a.shape === b.shape;
}
