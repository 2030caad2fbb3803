/** Numbers of patterns against constants. */

import { analysis, remember } from '@baton/base';
import type { NumberPattern } from '@baton/ops';
import {
  type DType,
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
import { holds } from './loss.ts';

/** Whether every element is the number, as the element type holds it. */
export function isFilledWith(data: Tensor, p: NumberPattern): boolean {
  const { value, dtype } = p;
  if (dtype !== undefined && dtype !== data.dtype) return false;
  if (isBig(data.dtype)) return Number.isSafeInteger(value) && areAll(data, BigInt(value));
  const wanted = heldBy(data.dtype, p);
  if (wanted === undefined) return false;
  if (shapeSize(data.shape) === 0 || !Object.is(readNumber(data, 0), wanted)) return false;
  return isSplat(data) || toNumbers(data).every((element) => Object.is(element, wanted));
}

/** The number as an element type holds it; `undefined` if it loses digits. */
const heldBy = (dtype: DType, p: NumberPattern): number | undefined => {
  const { value } = p;
  return remember(held(p), dtype, () => ({
    number: holds(dtype, value) ? readNumber(scalar(value, dtype), 0) : undefined,
  })).number;
};

/** A number of a rule is compared with constants again and again. */
const held = analysis((_: NumberPattern) => new Map<DType, { number: number | undefined }>());

/** Whether every element of a tensor of 64-bit integers is this one. */
const areAll = (data: Tensor, wanted: bigint): boolean =>
  shapeSize(data.shape) > 0 &&
  readBigInt(data, 0) === wanted &&
  (isSplat(data) || toBigInts(data).every((element) => element === wanted));
