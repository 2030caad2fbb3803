/** The spacing of numbers in the float dtypes in which programs compute. */
import { type CodedDType, type DType, dtypeInfo, isFloat, type SmallFloat } from './dtype.ts';
import { FORMATS, type Format } from './float-code.ts';

export interface Spacing {
  readonly epsilon: number;
  readonly leastNormal: number;
  readonly least: number;
}

/** A float dtype in which programs compute: one of 16 bits or more. */
type ComputedFloat = Exclude<CodedDType, SmallFloat> | 'float32' | 'float64';

/** The formats that machines support. */
const NATIVE: { readonly [D in 'float32' | 'float64']: Format } = {
  float32: [8, 23, 127],
  float64: [11, 52, 1023],
};

export function spacingOf(dtype: ComputedFloat): Spacing;
/** `undefined` for other dtypes. */
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

/** A cache: comparisons need the spacing for each element. */
const spacings = new Map<DType, Spacing>();
