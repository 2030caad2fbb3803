/** Numbers of patterns against constants. */
import {
  isBig,
  isSplat,
  readNumber,
  scalar,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import type { NumberPattern } from '../rule/pattern.ts';

/** Whether every element is the number, as the element type holds it. */
export function isFilledWith(data: Tensor, { value, dtype }: NumberPattern): boolean {
  if (dtype !== undefined && dtype !== data.dtype) return false;
  if (isBig(data.dtype) && !Number.isInteger(value)) return false;
  const wanted = readNumber(scalar(value, data.dtype), 0);
  if (shapeSize(data.shape) === 0 || !Object.is(readNumber(data, 0), wanted)) return false;
  return isSplat(data) || toNumbers(data).every((element) => Object.is(element, wanted));
}
