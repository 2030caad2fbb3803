/**
 * ToMixedPrecision: what gains by it is computed in a narrower floating-point type.
 * [passes §24](https://batonjs.github.io/baton/spec/passes#24).
 */
import { aBoolean, type Diagnostic, failure, oneOfThese, right } from '@baton/base';
import { callGraph, mapFunctions } from '@baton/ir';
import {
  inferType,
  isOpaque,
  mixedPrecisionOutputKey,
  pass,
  readConfig,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { COUNTERS, inNarrow, type NarrowDType } from './narrow.ts';

const DTYPES: ReadonlyArray<NarrowDType> = ['float16', 'bfloat16'];
const MODES = ['error', 'warn', 'ignore'] as const;

export interface MixedPrecisionOptions {
  /** The narrow type. Default: float16. */
  readonly dtype?: NarrowDType;
  /**
   * What becomes of an operator whose table states no precision: the pass fails, or the operator
   * follows its arguments, with a remark in the report (`warn`, the default) or without one.
   */
  readonly missingOpMode?: (typeof MODES)[number];
  /** Default: `relay.ToMixedPrecision.keep_orig_output_dtype`. */
  readonly keepOrigOutputDtype?: boolean;
}

/**
 * Computes float32 convolutions and products in a narrow type, along with what follows them and
 * loses little by it:
 *
 * ```
 * nn.softmax(nn.dense(%x, %w))
 * =>
 * %0 = nn.dense(cast(%x, "float16"), cast(%w, "float16"), out_dtype="float16");
 * nn.softmax(cast(%0, "float32"))
 * ```
 *
 * The column `precision` of each operator decides. A parameter or a constant becomes narrow where
 * it is wanted so, once for all its users. Functions, data types, references and calls keep their
 * types; only the result of a function that no other one names becomes narrow, unless
 * `keepOrigOutputDtype` is set.
 *
 * **Errors** `MIXED_PRECISION_MISSING` in the mode `error`.
 * **Complexity** linear in the function.
 */
export const toMixedPrecision: ConfigurablePass<MixedPrecisionOptions> = configurable(
  {
    dtype: oneOfThese(DTYPES),
    missingOpMode: oneOfThese(MODES),
    keepOrigOutputDtype: aBoolean,
  },
  ({ dtype = 'float16', missingOpMode = 'warn', keepOrigOutputDtype }) =>
    pass({
      name: 'ToMixedPrecision',
      doc: `Computes convolutions and products in ${dtype}, and the calls that follow them.`,
      level: 0,
      requires: [inferType],
      needs: ['nnan', 'ninf', 'narrow'],
      counters: COUNTERS,
      remarks: ['no precision stated'],
      isIdempotent: true,
      run: (m, context) => {
        const keeps = keepOrigOutputDtype ?? readConfig(context, mixedPrecisionOutputKey);
        const { callers } = callGraph(m.functions);
        const names = new Map([...m.functions].map(([name, f]) => [f, name]));
        const problems: Diagnostic[] = [];
        const made = mapFunctions(m, (f) => {
          if (isOpaque(f)) return f;
          const isNamed = (callers.get(names.get(f) ?? '') ?? []).length > 0;
          const { count } = context;
          return inNarrow(f, m, { dtype, missingOpMode, keeps: keeps || isNamed, count, problems });
        });
        return failure(problems) ?? right(made);
      },
    }),
);
