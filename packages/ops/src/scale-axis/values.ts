/** Values of scales for which equations hold. */
import { type DType, dtypeInfo, type Tensor, toNumbers } from '@baton/tensor';

/**
 * Whether each element is positive and finite: an infinite scale turns a rectifier's zeros into
 * NaN.
 */
export const arePositive = (scale: Tensor): boolean =>
  toNumbers(scale).every((value) => value > 0 && value < Number.POSITIVE_INFINITY);

/**
 * Whether numbers can be divided by each element, and multiplied back, within the range of `dtype`:
 * some networks have channels with a scale of 1e-40, and a bias divided by it is infinite.
 */
export function isSafeDivisor(scale: Tensor, dtype: DType = scale.dtype): boolean {
  const largest = Math.sqrt(Number(dtypeInfo(dtype).max));
  return toNumbers(scale).every((value) => {
    const size = Math.abs(value);
    return size >= 1 / largest && size <= largest;
  });
}
