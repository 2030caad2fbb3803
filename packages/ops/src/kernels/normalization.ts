/**
 * Normalization at inference ([operators §7](https://batonjs.github.io/baton/spec/operators#7)),
 * for floats: computed in double, rounded once.
 *
 * `gamma` and `beta` have one element for each place along `axis`; `undefined` is 1 and 0.
 */
import {
  cast,
  reshapeView,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { alongAxis } from './axis.ts';
import { multiply, subtract } from './binary.ts';
import { mapTernary, type TernaryRule } from './elementwise.ts';
import { mean, type ReduceOptions, sum, variance } from './reduce.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

/** Which axis is scaled and shifted, by what. */
export interface Affine {
  readonly axis: number;
  readonly gamma: Tensor | undefined;
  readonly beta: Tensor | undefined;
  readonly epsilon: number;
}

/** (x − mean) / √(var + ε) · γ + β with given statistics for each place along `axis`. */
export function batchNorm(x: Tensor, means: Tensor, variances: Tensor, affine: Affine): Tensor {
  const count = x.shape[affine.axis] as number;
  const center = toNumbers(means);
  const spread = toNumbers(variances);
  const gamma = perPlace(affine.gamma, count, 1);
  const beta = perPlace(affine.beta, count, 0);
  const scale = gamma.map((g, c) => g / Math.sqrt((spread[c] as number) + affine.epsilon));
  const shift = beta.map((b, c) => b - (center[c] as number) * (scale[c] as number));
  return scaleAndShift(x, affine.axis, scale, shift);
}

/** Normalized over one axis, which is also the one that is scaled. */
export function layerNorm(x: Tensor, affine: Affine): Tensor {
  return normalize(x, [affine.axis], affine);
}

/** Normalized over all axes but the first and `axis`. */
export function instanceNorm(x: Tensor, affine: Affine): Tensor {
  const axes = x.shape.flatMap((_, axis) => (axis === 0 || axis === affine.axis ? [] : [axis]));
  return normalize(x, axes, affine);
}

/** Normalized over the channels of a group and all axes but the first and `axis`. */
export function groupNorm(x: Tensor, groups: number, affine: Affine): Tensor {
  const { axis } = affine;
  const channels = x.shape[axis] as number;
  const split = [...x.shape.slice(0, axis), groups, channels / groups, ...x.shape.slice(axis + 1)];
  const axes = split.flatMap((_, a) => (a === 0 || a === axis ? [] : [a]));
  const plain = normalized(reshapeView(cast(x, 'float64'), split), axes, affine.epsilon);
  return scaled(reshapeView(plain, x.shape), affine, x);
}

/** x / √max(Σx², ε), summed over `axes`. */
export function l2Normalize(x: Tensor, axes: Shape, epsilon: number): Tensor {
  const wide = cast(x, 'float64');
  const totals = sum(multiply(wide, wide), { axes, keepDims: true });
  return cast(mapTernary(wide, totals, scalar(epsilon, 'float64'), NORMS), x.dtype);
}

const NORMS: TernaryRule = { number: (v, total, least) => v / Math.sqrt(Math.max(total, least)) };

/** The attributes of local response normalization. */
export interface LrnOptions {
  readonly size: number;
  readonly axis: number;
  readonly bias: number;
  readonly alpha: number;
  readonly beta: number;
}

/** x / (bias + α/size · Σx²)^β, the sum over the `size` places around each along `axis`. */
export function lrn(x: Tensor, { size, axis, bias, alpha, beta }: LrnOptions): Tensor {
  const data = loadNumbers(x);
  const out = numberBuffer(x.dtype, data.length);
  const { length, step, forEach } = alongAxis(x.shape, axis);
  const before = Math.floor((size - 1) / 2);
  const after = size - 1 - before;
  forEach((start) => {
    for (let i = 0; i < length; i++) {
      let total = 0;
      for (let j = Math.max(0, i - before); j <= Math.min(length - 1, i + after); j++) {
        const value = data[start + j * step] as number;
        total += value * value;
      }
      const value = data[start + i * step] as number;
      out[start + i * step] = value / (bias + (alpha / size) * total) ** beta;
    }
  });
  return finish(out, x.shape, x.dtype);
}

function normalize(x: Tensor, axes: Shape, affine: Affine): Tensor {
  return scaled(normalized(cast(x, 'float64'), axes, affine.epsilon), affine, x);
}

/** (x − mean) / √(var + ε) over these axes, of a tensor of doubles. */
function normalized(x: Tensor, axes: Shape, epsilon: number): Tensor {
  const over: ReduceOptions = { axes, keepDims: true };
  const means = mean(x, over);
  const variances = variance(x, means, { ...over, unbiased: false });
  return mapTernary(subtract(x, means), variances, scalar(epsilon, 'float64'), DEVIATIONS);
}

const DEVIATIONS: TernaryRule = { number: (v, s, epsilon) => v / Math.sqrt(s + epsilon) };

/** Doubles times γ plus β, in the type of `like`. */
function scaled(x: Tensor, { axis, gamma, beta }: Affine, like: Tensor): Tensor {
  const count = like.shape[axis] as number;
  const out = scaleAndShift(x, axis, perPlace(gamma, count, 1), perPlace(beta, count, 0));
  return cast(out, like.dtype);
}

function scaleAndShift(x: Tensor, axis: number, scale: Float64Array, shift: Float64Array): Tensor {
  const data = loadNumbers(x);
  const out = numberBuffer(x.dtype, data.length);
  const inner = shapeSize(x.shape.slice(axis + 1));
  let i = 0;
  while (i < data.length) {
    for (let c = 0; c < scale.length; c++) {
      const a = scale[c] as number;
      const b = shift[c] as number;
      for (const end = i + inner; i < end; i++) out[i] = (data[i] as number) * a + b;
    }
  }
  return finish(out, x.shape, x.dtype);
}

const perPlace = (values: Tensor | undefined, count: number, otherwise: number): Float64Array =>
  values === undefined
    ? new Float64Array(count).fill(otherwise)
    : Float64Array.from(toNumbers(values));
