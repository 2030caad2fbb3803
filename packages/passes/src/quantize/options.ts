/** The options of quantization, which its passes share. */
import {
  aBoolean,
  anything,
  listOf,
  type OptionType,
  type OptionTypes,
  oneOfThese,
  wholeNumber,
} from '@baton/base';
import type { DType } from '@baton/tensor';
import { anEvaluator } from '../configurable.ts';
import type { DataSet, ProgramRunner } from './statistics.ts';

/** How many bits the quantized numbers have, their sign among them. */
export interface QuantizedBits {
  readonly nbitInput?: number;
  /** The bits of constants. @defaultValue 8 */
  readonly nbitWeight?: number;
  /** The bits of sums of products. @defaultValue 32 */
  readonly nbitActivation?: number;
}

/** The choice of products to quantize. */
export interface AnnotateOptions {
  /** The convolutions of images to leave out, by their number in each function. @defaultValue [0] */
  readonly skipConvLayers?: ReadonlyArray<number>;
  /** Whether to leave out `nn.dense`. @defaultValue true */
  readonly skipDenseLayer?: boolean;
}

/** Where scales come from. */
export interface CalibrateOptions extends QuantizedBits {
  /**
   * The largest number of each input: one for all; the one that keeps the distribution of the data
   * best; or the largest but for one number in 100,000. The last two need data. Default: one for all.
   */
  readonly calibrateMode?: (typeof MODES)[number];
  /** The largest number of inputs without data. @defaultValue 8 */
  readonly globalScale?: number;
  /** The largest number of each weight: its own, or the next power of two. Default: the latter. */
  readonly weightScale?: (typeof WEIGHT_SCALES)[number];
  /** The executor that runs the program on the data. */
  readonly executor?: ProgramRunner;
  /** The arguments of `main` in each run, by position or by name. */
  readonly dataset?: DataSet;
  /** The most marks whose numbers are kept at once. Default: all. */
  readonly calibrateChunkBy?: number;
}

/** How integers are computed with. */
export interface RealizeOptions extends Pick<QuantizedBits, 'nbitInput' | 'nbitWeight'> {
  /** Whether a division by a power of two rounds, rather than going down. @defaultValue true */
  readonly roundForShift?: boolean;
  /** How other products with scales round halves. @defaultValue 'UPWARD' */
  readonly rounding?: (typeof ROUNDINGS)[number];
}

const MODES = ['global_scale', 'kl_divergence', 'percentile'] as const;
const WEIGHT_SCALES = ['power2', 'max'] as const;
const ROUNDINGS = ['UPWARD', 'TONEAREST'] as const;

const bitsUpTo = (most: number): OptionType => ({
  expected: `a whole number from 2 to ${most}`,
  is: (value) => Number.isInteger(value) && (value as number) >= 2 && (value as number) <= most,
});

const aScale: OptionType = {
  expected: 'a finite number above 0',
  is: (value) => typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY,
};

const aRunner: OptionType = {
  expected: 'an executor',
  is: (value) => anEvaluator.is(value) && 'prepare' in (value as object),
};

export const BITS_TYPES: OptionTypes<QuantizedBits> = {
  nbitInput: bitsUpTo(16),
  nbitWeight: bitsUpTo(16),
  nbitActivation: bitsUpTo(32),
};

export const ANNOTATE_TYPES: OptionTypes<AnnotateOptions> = {
  skipConvLayers: listOf(wholeNumber(0), 'numbers of convolutions'),
  skipDenseLayer: aBoolean,
};

export const CALIBRATE_TYPES: OptionTypes<CalibrateOptions> = {
  ...BITS_TYPES,
  calibrateMode: oneOfThese(MODES),
  globalScale: aScale,
  weightScale: oneOfThese(WEIGHT_SCALES),
  executor: aRunner,
  dataset: listOf(anything, 'arguments of runs'),
  calibrateChunkBy: wholeNumber(1),
};

export const REALIZE_TYPES: OptionTypes<RealizeOptions> = {
  nbitInput: BITS_TYPES.nbitInput,
  nbitWeight: BITS_TYPES.nbitWeight,
  roundForShift: aBoolean,
  rounding: oneOfThese(ROUNDINGS),
};

const DEFAULT_BITS: Required<QuantizedBits> = { nbitInput: 8, nbitWeight: 8, nbitActivation: 32 };

/** The bits, of which those left out have their default. */
export const bitsOf = (given: QuantizedBits): Required<QuantizedBits> => ({
  nbitInput: given.nbitInput ?? DEFAULT_BITS.nbitInput,
  nbitWeight: given.nbitWeight ?? DEFAULT_BITS.nbitWeight,
  nbitActivation: given.nbitActivation ?? DEFAULT_BITS.nbitActivation,
});

/** The narrowest type of integers with a sign and these bits. */
export const integersOf = (bits: number): DType =>
  bits <= 8 ? 'int8' : bits <= 16 ? 'int16' : 'int32';
