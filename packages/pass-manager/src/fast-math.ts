/** The freedoms with floating-point arithmetic that a pass may declare: LLVM's words, and four more. */

export const FAST_MATH = [
  'nsz',
  'nnan',
  'ninf',
  'reassoc',
  'contract',
  'arcp',
  'afn',
  'range',
  'narrow',
  'quantized',
  'scaled',
] as const;

/**
 * - `nsz`: the sign of a zero does not matter.
 * - `nnan`, `ninf`: no argument and no result is NaN, or infinite.
 * - `reassoc`: sums and products may be computed in another order.
 * - `contract`: a product and a sum may be rounded once.
 * - `arcp`: a division may become a product with the reciprocal.
 * - `afn`: a function may be replaced by an approximation.
 * - `range`: a value on the way to a result may be larger or smaller than before, so that it leaves
 *   the range of its type, or be rounded to the type of the tensor where a kernel had a wider one.
 *   Infinities that arise so in floats of fewer than 32 bits are no freedom.
 * - `narrow`: a value may be rounded to a narrower type, the result's too.
 * - `quantized`: integers that stand for real numbers may be rounded in other places.
 * - `scaled`: floats may be rounded to multiples of scales.
 *
 * **Source** LLVM Language Reference, "Fast-Math Flags".
 */
export type FastMath = (typeof FAST_MATH)[number];
