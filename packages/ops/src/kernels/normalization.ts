/**
 * Normalization at inference ([operators §7](https://batonjs.github.io/baton/spec/operators#7)),
 * for floats: computed in double, rounded once. `gamma` and `beta` have one element for each index
 * along `axis`; `undefined` is 1 and 0.
 */
import {
  cast,
  heap,
  type Memory,
  reshapeView,
  type Shape,
  scalar,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { math, x, y, z } from '../scalar/expr.ts';
import { SUM } from '../scalar/folds.ts';
import { alongAxis } from './axis.ts';
import { mapScalar } from './elementwise.ts';
import { reduceKept, sizeAlong, variance } from './reduce.ts';
import { finish, loadNumbers, numberBuffer } from './values.ts';

export interface Affine {
  readonly axis: number;
  readonly gamma: Tensor | undefined;
  readonly beta: Tensor | undefined;
  readonly epsilon: number;
}

/** (x − mean) / √(var + ε) · γ + β with given statistics for each index along `axis`. */
export function batchNorm(
  x: Tensor,
  means: Tensor,
  variances: Tensor,
  affine: Affine,
  memory: Memory = heap,
): Tensor {
  const count = x.shape[affine.axis] as number;
  const center = toNumbers(means, memory);
  const spread = toNumbers(variances, memory);
  const scale = perPlace(affine.gamma, count, 1, memory);
  const shift = perPlace(affine.beta, count, 0, memory);
  for (let c = 0; c < count; c++) {
    scale[c] = (scale[c] as number) / Math.sqrt((spread[c] as number) + affine.epsilon);
    shift[c] = (shift[c] as number) - (center[c] as number) * (scale[c] as number);
  }
  return scaleAndShift(x, affine.axis, scale, shift, memory);
}

/** Normalized over one axis, which is also the scaled one. */
export function layerNorm(x: Tensor, affine: Affine, memory: Memory = heap): Tensor {
  return normalize(x, [affine.axis], affine, memory);
}

/** Normalized over all axes except the first and `axis`. */
export function instanceNorm(x: Tensor, affine: Affine, memory: Memory = heap): Tensor {
  const axes = x.shape.flatMap((_, axis) => (axis === 0 || axis === affine.axis ? [] : [axis]));
  return normalize(x, axes, affine, memory);
}

/** Normalized over the channels of a group and all axes except the first and `axis`. */
export function groupNorm(
  x: Tensor,
  groups: number,
  affine: Affine,
  memory: Memory = heap,
): Tensor {
  const { axis } = affine;
  const channels = x.shape[axis] as number;
  const split = [...x.shape.slice(0, axis), groups, channels / groups, ...x.shape.slice(axis + 1)];
  const axes = split.flatMap((_, a) => (a === 0 || a === axis ? [] : [a]));
  const grouped = reshapeView(cast(x, 'float64', memory), split, memory);
  const plain = normalized(grouped, axes, affine.epsilon, memory);
  return scaled(reshapeView(plain, x.shape), affine, x, memory);
}

/** x / √max(Σx², ε), summed over `axes`. */
export function l2Normalize(
  x: Tensor,
  axes: Shape,
  epsilon: number,
  memory: Memory = heap,
): Tensor {
  const wide = cast(x, 'float64', memory);
  const squares = mapScalar(SQUARE, [wide], memory);
  const totals = reduceKept(squares, { fold: SUM('float64'), axes }, memory);
  return cast(
    mapScalar(NORMED, [wide, totals, scalar(epsilon, 'float64', memory)], memory),
    x.dtype,
    memory,
  );
}

const SQUARE = math.mul(x, x);
const NORMED = math.div(x, math.sqrt(math.max(y, z)));

export interface LrnOptions {
  readonly size: number;
  readonly axis: number;
  readonly bias: number;
  readonly alpha: number;
  readonly beta: number;
}

/** x / (bias + α/size · Σx²)^β, the sum over the `size` neighbours of each element along `axis`. */
export function lrn(
  x: Tensor,
  { size, axis, bias, alpha, beta }: LrnOptions,
  memory: Memory = heap,
): Tensor {
  const data = loadNumbers(x, memory);
  const out = numberBuffer(x.dtype, data.length, memory);
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
  return finish(out, x.shape, x.dtype, memory);
}

function normalize(x: Tensor, axes: Shape, affine: Affine, memory: Memory): Tensor {
  const plain = normalized(cast(x, 'float64', memory), axes, affine.epsilon, memory);
  return scaled(plain, affine, x, memory);
}

/** (x − mean) / √(var + ε) over these axes, of a tensor of doubles. */
function normalized(x: Tensor, axes: Shape, epsilon: number, memory: Memory): Tensor {
  const mean = { fold: SUM('float64'), axes, divisor: sizeAlong(x, axes) };
  const means = reduceKept(x, mean, memory);
  const variances = variance(x, means, { axes, isUnbiased: false }, means.shape, memory);
  const centered = mapScalar(DIFFERENCE, [x, means], memory);
  return mapScalar(DEVIATION, [centered, variances, scalar(epsilon, 'float64', memory)], memory);
}

const DIFFERENCE = math.sub(x, y);
const DEVIATION = math.div(x, math.sqrt(math.add(y, z)));

/** Doubles times γ plus β, in the type of `like`. */
function scaled(x: Tensor, { axis, gamma, beta }: Affine, like: Tensor, memory: Memory): Tensor {
  const count = like.shape[axis] as number;
  const scale = perPlace(gamma, count, 1, memory);
  const shift = perPlace(beta, count, 0, memory);
  return cast(scaleAndShift(x, axis, scale, shift, memory), like.dtype, memory);
}

function scaleAndShift(
  x: Tensor,
  axis: number,
  scale: Float64Array,
  shift: Float64Array,
  memory: Memory,
): Tensor {
  const data = loadNumbers(x, memory);
  const out = numberBuffer(x.dtype, data.length, memory);
  const inner = shapeSize(x.shape.slice(axis + 1));
  let i = 0;
  while (i < data.length) {
    for (let c = 0; c < scale.length; c++) {
      const a = scale[c] as number;
      const b = shift[c] as number;
      for (const end = i + inner; i < end; i++) out[i] = (data[i] as number) * a + b;
    }
  }
  return finish(out, x.shape, x.dtype, memory);
}

function perPlace(
  values: Tensor | undefined,
  count: number,
  otherwise: number,
  memory: Memory,
): Float64Array {
  const places = memory.take('float64', count);
  if (values === undefined) places.fill(otherwise);
  else places.set(toNumbers(values, memory));
  return places;
}
