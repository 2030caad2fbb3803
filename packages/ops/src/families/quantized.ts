/** Operators on quantized integers. */
import {
  type DType,
  dtypeInfo,
  fromNumbers,
  reshapeView,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { int, oneOf } from '../attrs/codecs.ts';
import { withDefault } from '../attrs/schema.ts';
import { type BoundsRule, between, type Interval, magnitude } from '../bounds/bounds.ts';
import { first, symmetric } from '../bounds/rules.ts';
import type { Formless } from '../define-op.ts';
import type { FactSite } from '../definition/site.ts';
import { argument, ofConstant, type Step, type StepsSite, step } from '../form/steps.ts';
import type { KernelArgs } from '../kernel.ts';
import { fixedPoint, type Quantization, quantizedRange } from '../kernels/quantized.ts';
import { math, x, y } from '../scalar/expr.ts';
import { FIXED_POINT, type FixedPointRounding } from '../scalar/fixed-point.ts';

export const SCALES: Interval = [0.0625, 1];
export const POINTS: Interval = [-8, 8];

/** The axis along which the scales and zero points of an argument may vary. */
export const axisProp = withDefault(int, -1);

export const quantizedType = oneOf('int8', 'uint8', 'int16', 'uint16', 'int32');

/** The result spans its dtype. */
export const ofItsType: BoundsRule<unknown> = (_facts, { result }) => {
  const [least, most] = quantizedRange(result.dtype as DType);
  return between(least, most, 0);
};

export const unscaled: BoundsRule<unknown> = (facts) => {
  const [x, scale, zero] = facts;
  if (x === undefined || scale === undefined || zero === undefined) return first(facts);
  return symmetric((magnitude(x) + magnitude(zero)) * magnitude(scale));
};

export const sumOfCentred: BoundsRule<unknown> = (facts, { products }) => {
  const [x, w, zeroX, zeroW] = facts.map(magnitude);
  const most = ((x ?? 0) + (zeroX ?? 0)) * ((w ?? 0) + (zeroW ?? 0));
  return symmetric(most * Math.max(products, 1), 0);
};

export const quantizes: Formless<'bounds'> = {
  kind: 'elementwise',
  numerics: 'discontinuous',
  bounds: ofItsType,
};

/** Whether the scale and the zero point after the data are scalars. */
export const isOfNumbers = ({ rank }: FactSite<unknown>): boolean => rank(1) === 0 && rank(2) === 0;

export const hasTwoPoints = ({ rank }: FactSite<unknown>): boolean =>
  rank(2) === 0 && rank(3) === 0;

export const quantizationOf = (
  args: KernelArgs,
  {
    scale,
    zero,
    axis = 0,
  }: { readonly scale: number; readonly zero: number; readonly axis?: number },
): Quantization => ({ scale: args.tensor(scale), zero: args.tensor(zero), axis });

const numbersOf = (t: Tensor): ReadonlyArray<number> => Array.from(toNumbers(t), Number);

/** Subtracts the zero point, which is another argument. */
function centredStep(site: StepsSite<unknown>, zero: number): Step {
  const known = site.constant(zero);
  const isNone = known !== undefined && numbersOf(known).every((point) => point === 0);
  if (isNone) return argument(0);
  return step(math.sub(x, y), 'int32', [argument(0), argument(zero)]);
}

const within = (low: number, high: number) => math.min(math.max(x, low), high);

/** The least shift whose results fit in int32, and the range of shifts. */
const [LEAST_NARROW, LEAST, MOST] = [31, 1, 62];

/** Requantizes integers by constant scales, as a product in fixed point. */
export function requantizedSteps(
  site: StepsSite<unknown>,
  rounding: FixedPointRounding,
): Step | undefined {
  const { result, constant } = site;
  const [from, to, point] = [constant(1), constant(3), constant(4)];
  if (from === undefined || to === undefined || point === undefined) return undefined;
  const [scale, zero] = [numbersOf(to)[0] ?? 1, numbersOf(point)[0] ?? 0];
  const ratios = numbersOf(from).map((own) => fixedPoint(own / scale));
  const least = Math.min(...ratios.map(({ shift }) => shift));
  if (least < LEAST || ratios.some(({ shift }) => shift > MOST)) return undefined;
  const parameters = (values: ReadonlyArray<number>): Step =>
    ofConstant(reshapeView(fromNumbers(values, [values.length], 'int32'), from.shape));
  const multipliers = parameters(ratios.map(({ multiplier }) => multiplier));
  const shifts = parameters(ratios.map(({ shift }) => shift));
  const operands = [centredStep(site, 2), multipliers, shifts];
  const product = (dtype: DType): Step => step(FIXED_POINT[rounding], dtype, operands, 'int64');
  const [low, high] = quantizedRange(result);
  const isNarrow = dtypeInfo(result).bits < 32;
  if (least >= LEAST_NARROW && (zero === 0 || (isNarrow && Math.abs(zero) < 2 ** 30))) {
    const bounded = within(low - zero, high - zero);
    return step(
      zero === 0 ? bounded : math.add(bounded, zero),
      result,
      [product('int32')],
      'int32',
    );
  }
  const moved = math.wrap(math.add(x, zero));
  return step(math.min(math.max(moved, low), high), result, [product('int64')], 'int64');
}
