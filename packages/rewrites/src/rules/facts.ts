/** Questions that the conditions of rules ask about terms and attributes. */
import type { AttrValue } from '@baton/ir';
import {
  isBig,
  isSplat,
  readBigInt,
  readNumber,
  scalar,
  shapeSize,
  type Tensor,
  toBigInts,
  toNumbers,
} from '@baton/tensor';
import { areSized, holds } from '../match/loss.ts';
import type { MatchedValue } from '../rule/matched-value.ts';

/** An element of a constant; `undefined` for a 64-bit integer that no double holds. */
function exactly(constant: Tensor, index: number): number | undefined {
  const value = readNumber(constant, index);
  return isBig(constant.dtype) && BigInt(value) !== readBigInt(constant, index) ? undefined : value;
}

/** The value of a constant of rank 0; `undefined` for a 64-bit integer that no double holds. */
export const numberOf = ({ constant }: MatchedValue): number | undefined =>
  constant === undefined || constant.shape.length > 0 ? undefined : exactly(constant, 0);

/** The number that fills a constant; `undefined` for a 64-bit integer that no double holds. */
export const fillOf = ({ constant }: MatchedValue): number | undefined => {
  if (constant === undefined || shapeSize(constant.shape) === 0) return undefined;
  return isSplat(constant) || isFilled(constant) ? exactly(constant, 0) : undefined;
};

function isFilled(constant: Tensor): boolean {
  const elements = isBig(constant.dtype) ? toBigInts(constant) : toNumbers(constant);
  const [first] = elements;
  return Array.prototype.every.call(elements, (element) => element === first);
}

/** The value of a constant of one element, whatever its rank. */
export const onlyNumberOf = ({ constant }: MatchedValue): number | undefined =>
  constant === undefined || shapeSize(constant.shape) !== 1 ? undefined : exactly(constant, 0);

/** A number of the element type of a term; `undefined` if the type does not hold all its digits. */
export const numberLike = (
  { dtype }: MatchedValue,
  value: number | undefined,
): Tensor | undefined =>
  dtype === undefined || value === undefined || !holds(dtype, value)
    ? undefined
    : scalar(value, dtype);

/** Whether a term is a constant whose elements have sizes between two bounds. */
export const isSized = ({ constant }: MatchedValue, least: number, most: number): boolean =>
  constant !== undefined && areSized(constant, least, most);

/** The one axis in a list of axes, from 0 on. */
export const onlyAxis = (axes: AttrValue, { dims }: MatchedValue): number | undefined => {
  const [axis, ...others] = Array.isArray(axes) ? axes : [axes];
  if (typeof axis !== 'number' || others.length > 0 || dims === undefined) return undefined;
  return axis < 0 ? axis + dims.length : axis;
};

/** Whether the axis is the last one of a tensor. */
export const isLastAxis = (axis: AttrValue, x: MatchedValue): boolean =>
  x.dims !== undefined && onlyAxis(axis, x) === x.dims.length - 1;
