/** Questions that the conditions of rules ask about terms and attributes. */
import type { AttrValue } from '@baton/ir';
import { isSplat, readNumber, scalar, shapeSize, type Tensor, toNumbers } from '@baton/tensor';
import type { Term } from '../rule/term.ts';

/** The value of a constant of rank 0. */
export const numberOf = ({ constant }: Term): number | undefined =>
  constant === undefined || constant.shape.length > 0 ? undefined : Number(readNumber(constant, 0));

/** The number that fills a constant. */
export const fillOf = ({ constant }: Term): number | undefined => {
  if (constant === undefined || shapeSize(constant.shape) === 0) return undefined;
  const value = Number(readNumber(constant, 0));
  const isFilled = isSplat(constant) || toNumbers(constant).every((element) => element === value);
  return isFilled ? value : undefined;
};

/** The value of a constant of one element, whatever its rank. */
export const onlyNumberOf = ({ constant }: Term): number | undefined =>
  constant === undefined || shapeSize(constant.shape) !== 1
    ? undefined
    : Number(readNumber(constant, 0));

/** A number of the element type of a term. */
export const numberLike = ({ dtype }: Term, value: number | undefined): Tensor | undefined =>
  dtype === undefined || value === undefined ? undefined : scalar(value, dtype);

/** The one axis in a list of axes, from 0 on. */
export const onlyAxis = (axes: AttrValue, { dims }: Term): number | undefined => {
  const [axis, ...others] = Array.isArray(axes) ? axes : [axes];
  if (typeof axis !== 'number' || others.length > 0 || dims === undefined) return undefined;
  return axis < 0 ? axis + dims.length : axis;
};

/** Whether the axis is the last one of a tensor. */
export const isLastAxis = (axis: AttrValue, x: Term): boolean =>
  x.dims !== undefined && onlyAxis(axis, x) === x.dims.length - 1;
