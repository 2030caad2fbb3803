/** The distances between the numbers of the float types in which programs compute. */
import { type CodedDType, type DType, dtypeInfo, isFloat, type SmallFloat } from './dtype.ts';
import { FORMATS, type Format } from './float-code.ts';

/** The distances between the numbers of a float type. */
export interface Spacing {
  /** From 1 to the next number. */
  readonly epsilon: number;
  /** The least number with all its digits. */
  readonly leastNormal: number;
  /** The least number above 0. */
  readonly least: number;
}

/** A float type in which programs compute: one of 16 bits or more. */
type ComputedFloat = Exclude<CodedDType, SmallFloat> | 'float32' | 'float64';

/** The formats that machines have. */
const NATIVE: { readonly [D in 'float32' | 'float64']: Format } = {
  float32: [8, 23, 127],
  float64: [11, 52, 1023],
};

/** The spacing of a float type in which programs compute. */
export function spacingOf(dtype: ComputedFloat): Spacing;
/** The spacing of such a type; `undefined` for others. */
export function spacingOf(dtype: DType): Spacing | undefined;
export function spacingOf(dtype: DType): Spacing | undefined {
  const known = spacings.get(dtype);
  if (known !== undefined || !isFloat(dtype) || dtypeInfo(dtype).kind === 'small') return known;
  const [, fraction, bias] = { ...FORMATS, ...NATIVE }[dtype as ComputedFloat];
  const leastNormal = 2 ** (1 - bias);
  const epsilon = 2 ** -fraction;
  const made = { epsilon, leastNormal, least: leastNormal * epsilon };
  spacings.set(dtype, made);
  return made;
}

/** The spacings that have been asked for: comparisons ask for each element. */
const spacings = new Map<DType, Spacing>();
