/** Integers as rows of bits. */
import { type DType, dtypeInfo, isDType } from '@baton/tensor';

/** The number of bits. */
export const bitsOf = (dtype: DType): number => 8 * dtypeInfo(dtype).bytes;

/** The unsigned integers of the same width. */
export const unsignedOf = (dtype: DType): DType => {
  const unsigned = `uint${bitsOf(dtype)}`;
  return isDType(unsigned) ? unsigned : dtype;
};
