/** ProductsToInteger: products of dequantized integers are computed on integers. */
import { right } from '@baton/base';
import { mapFunctions } from '@baton/ir';
import { inferType, isOpaque, type Pass, pass } from '@baton/pass-manager';
import { inIntegers, PRODUCT_COUNTERS, type Quantizing } from './in-integers.ts';

/**
 * Computes the sums of products of dequantized integers on the integers, and dequantizes the sums:
 *
 * ```
 * nn.dense(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%w, 0.25f, 0))
 * =>
 * qnn.dequantize(qnn.dense(%x, %w, 3, 0, 0.5f, 0.25f), 0.125f, 0)
 * ```
 *
 * The sums have no error, which those of floats have: results differ by the rounding of floats, and
 * what follows stays as it is. FakeQuantizationToInteger goes on with integers.
 *
 * A `qnn.quantize` of integers that have its quantization goes, and so do bounds before one that ends
 * there: both keep every bit.
 *
 * **Complexity** linear in the function.
 * **Source** Relay v0.16, FakeQuantizationToInteger with `use_qat`, of products alone.
 */
export const productsToInteger: Pass = pass({
  name: 'ProductsToInteger',
  doc: 'Computes products of dequantized integers on the integers.',
  level: 3,
  requires: [inferType],
  needs: ['nnan', 'ninf', 'reassoc', 'contract'],
  counters: PRODUCT_COUNTERS,
  isIdempotent: true,
  run: (m, { count }) =>
    right(
      mapFunctions(m, (f) => {
        if (isOpaque(f)) return f;
        return inIntegers(f, m, {
          useQat: true,
          productsOnly: true,
          // The counters of products are those that such a run counts.
          count: count as Quantizing['count'],
          refuse: () => {},
        });
      }),
    ),
});
