/**
 * FakeQuantizationToInteger: what lies between integers is computed on integers.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { aBoolean, type Diagnostic, failure, right } from '@baton/base';
import { mapFunctions } from '@baton/ir';
import { inferType, isOpaque, pass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { notOnIntegers } from '../diagnostics.ts';
import { COUNTERS, inIntegers, type Quantizing } from './in-integers.ts';

export interface FakeQuantizationOptions {
  /** Whether a region that has to stay in real numbers is an error. Default: false. */
  readonly hardFail?: boolean;
  /**
   * Whether calls on what was dequantized are computed on integers even if no `qnn.quantize`
   * follows: their results are dequantized. Default: false.
   */
  readonly useQat?: boolean;
}

/**
 * Computes on integers what lies between `qnn.dequantize` and `qnn.quantize`:
 *
 * ```
 * %0 = nn.dense(qnn.dequantize(%x, 0.5f, 3), qnn.dequantize(%w, 0.25f, 0));
 * qnn.quantize(nn.relu(%0), 0.7f, 1)
 * =>
 * %0 = qnn.dense(%x, %w, 3, 0, 0.5f, 0.25f);
 * qnn.requantize(maximum(%0, 0), 0.125f, 0, 0.7f, 1)
 * ```
 *
 * The column `onIntegers` of each operator says how. Results may differ by the rounding of the
 * steps: by some units of the last quantization.
 *
 * - A region holds operators and tuples only; a variable that is bound inside is a border.
 * - A region with an operator that has no rule, or whose rule does not apply, stays as it is.
 * - A sum takes the scale and zero point of the `qnn.quantize` after it only if what lies between
 *   keeps the range: numbers that leave the range may come back into it otherwise.
 *
 * **Errors** `QUANTIZATION_RULE` with `hardFail`.
 * **Complexity** linear in the function.
 * **Source** Relay v0.16, FakeQuantizationToInteger.
 */
export const fakeQuantizationToInteger: ConfigurablePass<FakeQuantizationOptions> = configurable(
  { hardFail: aBoolean, useQat: aBoolean },
  ({ hardFail = false, useQat = false }) =>
    pass({
      name: 'FakeQuantizationToInteger',
      doc: 'Computes the calls between dequantization and quantization on integers.',
      subject: 'regions',
      level: 0,
      requires: [inferType],
      needs: ['nnan', 'ninf', 'quantized'],
      counters: COUNTERS,
      run: (m, { count }) => {
        const problems: Diagnostic[] = [];
        const made = mapFunctions(m, (f) => {
          if (isOpaque(f)) return f;
          return inIntegers(f, m, {
            useQat,
            // The counters of regions are those that such a run counts.
            count: count as Quantizing['count'],
            refuse: (_quantize, { op, span }) => {
              if (hardFail) problems.push(notOnIntegers(op.name, span));
            },
          });
        });
        return failure(problems) ?? right(made);
      },
    }),
);
