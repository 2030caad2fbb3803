/** Numbers of patterns against constants. */

import type { NumberPattern } from '@baton/ops';
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
import { holds } from './loss.ts';

/** Whether every element is the number, as the element type holds it. */
export function isFilledWith(data: Tensor, { value, dtype }: NumberPattern): boolean {
  if (dtype !== undefined && dtype !== data.dtype) return false;
  if (isBig(data.dtype)) return Number.isSafeInteger(value) && areAll(data, BigInt(value));
  if (!holds(data.dtype, value)) return false;
  const wanted = readNumber(scalar(value, data.dtype), 0);
  if (shapeSize(data.shape) === 0 || !Object.is(readNumber(data, 0), wanted)) return false;
  return isSplat(data) || toNumbers(data).every((element) => Object.is(element, wanted));
}

/** Whether every element of a tensor of 64-bit integers is this one. */
const areAll = (data: Tensor, wanted: bigint): boolean =>
  shapeSize(data.shape) > 0 &&
  readBigInt(data, 0) === wanted &&
  (isSplat(data) || toBigInts(data).every((element) => element === wanted));
