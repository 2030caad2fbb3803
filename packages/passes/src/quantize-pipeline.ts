/**
 * Quantize: a program of floats is computed on integers.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { aBoolean } from '@baton/base';
import { type Pass, sequential, withContext } from '@baton/pass-manager';
import { canonicalizeOps } from './canonicalize-ops.ts';
import { type ConfigurablePass, configurable } from './configurable.ts';
import { foldConstant } from './fold-constant.ts';
import { foldScaleAxis } from './fold-scale-axis/fold-scale-axis.ts';
import { quantizeAnnotate } from './quantize/annotate.ts';
import { quantizeCalibrate } from './quantize/calibrate.ts';
import {
  ANNOTATE_TYPES,
  type AnnotateOptions,
  CALIBRATE_TYPES,
  type CalibrateOptions,
  REALIZE_TYPES,
  type RealizeOptions,
} from './quantize/options.ts';
import { quantizePartition } from './quantize/partition.ts';
import { quantizeRealize } from './quantize/realize.ts';
import { simplifyInference } from './simplify-inference.ts';

export interface QuantizeOptions extends AnnotateOptions, CalibrateOptions, RealizeOptions {
  /** Whether to stop at floats that are rounded as the integers are. @defaultValue false */
  readonly doSimulation?: boolean;
}

const LEVEL = 3;

/**
 * Computes a program of floats on integers, with an error: QuantizePartition, QuantizeAnnotate,
 * QuantizeCalibrate and QuantizeRealize, after the passes that make weights of what is constant.
 *
 * ```
 * nn.relu(nn.conv2d(%x, w))
 * =>
 * %0 = cast(clip(round(multiply(%x, 16f)), a_min=-127f, a_max=127f), dtype="int8");
 * multiply(cast(nn.relu(nn.conv2d(%0, w', out_dtype="int32")), dtype="float32"), 0.000488281f)
 * ```
 *
 * Weights are constants of the program; parameters in their place are inputs. The first convolution
 * and all `nn.dense` stay as they are unless the options say otherwise, as in Relay.
 *
 * **Errors** those of {@link quantizeCalibrate}.
 * **Source** Relay v0.16, `relay.quantize.quantize`.
 */
export const quantize: ConfigurablePass<QuantizeOptions> = configurable(
  { ...ANNOTATE_TYPES, ...CALIBRATE_TYPES, ...REALIZE_TYPES, doSimulation: aBoolean },
  (options): Pass =>
    withContext({ level: LEVEL }, sequential(passesOf(options), { name: 'Quantize' })),
);

function passesOf({ doSimulation = false, ...options }: QuantizeOptions): ReadonlyArray<Pass> {
  const given = <O extends object>(types: { readonly [K in keyof O]-?: unknown }): O =>
    // The options of each pass are among those of all, by the same names.
    Object.fromEntries(Object.entries(options).filter(([name]) => name in types)) as O;
  const bits = options.nbitInput === undefined ? {} : { nbitInput: options.nbitInput };
  return [
    simplifyInference,
    foldConstant,
    foldScaleAxis,
    canonicalizeOps,
    foldConstant,
    quantizePartition(bits),
    quantizeAnnotate(given<AnnotateOptions>(ANNOTATE_TYPES)),
    quantizeCalibrate(given<CalibrateOptions>(CALIBRATE_TYPES)),
    ...(doSimulation ? [] : [quantizeRealize(given<RealizeOptions>(REALIZE_TYPES))]),
    foldConstant,
  ];
}
