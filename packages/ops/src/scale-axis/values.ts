/** The values of scales for which equations hold. */
import { type DType, dtypeInfo, type Tensor, toNumbers } from '@baton/tensor';

/** Whether each element is above 0 and finite: an infinite scale makes NaN of a rectifier's zeros. */
export const arePositive = (scale: Tensor): boolean =>
  toNumbers(scale).every((value) => value > 0 && value < Number.POSITIVE_INFINITY);

/**
 * Whether other numbers can be divided by each element, and multiplied back, within the range of
 * `dtype`: networks do have channels with a scale of 1e-40, where a bias divided by it is infinite.
 */
export function isSafeDivisor(scale: Tensor, dtype: DType = scale.dtype): boolean {
  const largest = Math.sqrt(Number(dtypeInfo(dtype).max));
  return toNumbers(scale).every((value) => {
    const size = Math.abs(value);
    return size >= 1 / largest && size <= largest;
  });
}
