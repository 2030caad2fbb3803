/** Values whose axis of channels is tracked through operators. */
import type { Attrs } from '@baton/ir';
import type { Builder } from '../generate/builder.ts';
import { perhapsStateful } from '../generate/motif.ts';
import { sizeOf } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';
import {
  convolve,
  imageLayout,
  multiplyMatrices,
  productsAlong,
} from '../samplers/contractions.ts';
import { pool } from '../samplers/images.ts';

/** A value, and its axis for a scale. */
export interface Tracked {
  readonly value: TensorValue;
  readonly axis: number;
}

export const channelsOf = ({ value, axis }: Tracked): number => value.shape[axis] ?? 1;

/** The shape of a vector along one axis of a shape, with as few axes as necessary. */
const alongAxis = (shape: ReadonlyArray<number>, axis: number): ReadonlyArray<number> =>
  shape.slice(axis).map((dim, i) => (i === 0 ? dim : 1));

/** Numbers of either sign; in exact programs powers of two, so that division is exact. */
function scaleNumbers(b: Builder): ReadonlyArray<number> {
  const { random } = b;
  const kind = random.weighted([
    [12, 'positive'],
    [2, 'mixed'],
    [3.5, 'zero'],
  ] as const);
  const sizes = b.numerics === 'exact' ? [0.5, 1, 2, 4] : [0.5, 2, 0.75, 1.25, 3];
  const numbers = random.shuffle(sizes);
  if (kind === 'positive') return numbers;
  return numbers.map((x, i) =>
    i === 0 ? (kind === 'zero' ? 0 : -x) : random.chance(0.3) ? -x : x,
  );
}

/** A scale for the value, mostly along the axis; near misses are another axis, or every axis. */
export function someScale(b: Builder, { value, axis }: Tracked): TensorValue {
  const { random } = b;
  const rank = value.shape.length;
  const shape = random.weighted<ReadonlyArray<number>>([
    [9, alongAxis(value.shape, axis)],
    [3, value.shape.map((dim, i) => (i === axis ? dim : 1))],
    [3, []],
    [0.6, alongAxis(value.shape, random.int(0, rank - 1))],
    [0.4, value.shape],
  ]);
  const isConstant = random.chance(0.78);
  const scale = isConstant
    ? b.constant(scaleNumbers(b), shape, value.dtype)
    : b.operand({ shape, dtype: value.dtype });
  return perhapsStateful(b, scale, 0.07);
}

/** `x * s` or `s * x`. */
export function scaled(b: Builder, tracked: Tracked): Tracked {
  const scale = someScale(b, tracked);
  const args = b.random.chance(0.7) ? [tracked.value, scale] : [scale, tracked.value];
  return { ...tracked, value: b.tensor('multiply', args) };
}

/** An operator that a scale may pass through. */
type Passage = (b: Builder, t: Tracked) => Tracked | undefined;

const onValue =
  (name: string, attrs: Attrs = {}): Passage =>
  (b, t) => ({ ...t, value: b.tensor(name, [t.value], attrs) });

/** A sum with a vector along the axis, or along another. */
const sum =
  (name: string): Passage =>
  (b, t) => {
    const { random } = b;
    const { shape, dtype } = t.value;
    const axis = random.chance(0.7) ? t.axis : random.int(0, shape.length - 1);
    const other = b.operand({ shape: alongAxis(shape, axis), dtype });
    const args = random.chance(0.55) ? [t.value, other] : [other, t.value];
    return { ...t, value: b.tensor(name, args) };
  };

const bias: Passage = (b, t) => {
  const axis = b.random.chance(0.6) ? t.axis : b.random.int(0, t.value.shape.length - 1);
  const vector = b.weights([t.value.shape[axis] ?? 1], t.value.dtype);
  const signed = b.random.chance(0.2) ? axis - t.value.shape.length : axis;
  return { ...t, value: b.tensor('nn.bias_add', [t.value, vector], { axis: signed }) };
};

const isImageRank = (t: Tracked): boolean => t.value.shape.length >= 3;

const pooled =
  (kind: 'max' | 'avg'): Passage =>
  (b, t) =>
    isImageRank(t) &&
    !t.value.shape.includes(0) &&
    b.allows(`nn.${kind}_pool${t.value.shape.length - 2}d`)
      ? { ...t, value: pool(b, t.value, t.axis, kind) }
      : undefined;

const globalPooled =
  (name: string): Passage =>
  (b, t) =>
    t.value.shape.length === 4
      ? { ...t, value: b.tensor(name, [t.value], { layout: imageLayout(4, t.axis) }) }
      : undefined;

/** A pad with 0 on other axes; near misses are another value, and the axis itself. */
const padded: Passage = (b, t) => {
  const { random } = b;
  const onAxis = random.chance(0.3);
  const widths = t.value.shape.map((_, i) =>
    i === t.axis ? [onAxis ? 1 : 0, 0] : [random.int(0, 1), random.int(0, 1)],
  );
  const value = b.constant([random.chance(0.85) ? 0 : 1], [], t.value.dtype);
  const attrs = { pad_width: widths, pad_mode: random.chance(0.9) ? 'constant' : 'edge' };
  const axisIsWhole = t.value.shape.every((dim) => dim > 0);
  return axisIsWhole ? { ...t, value: b.tensor('nn.pad', [t.value, value], attrs) } : undefined;
};

const transposed: Passage = (b, t) => {
  const axes = b.random.shuffle(t.value.shape.map((_, i) => i));
  return { value: b.tensor('transpose', [t.value], { axes }), axis: axes.indexOf(t.axis) };
};

/** Merges axes next to the tracked one; the near miss merges that, too. */
const reshaped: Passage = (b, t) => {
  const { shape } = t.value;
  const before = shape.slice(0, t.axis);
  const after = shape.slice(t.axis + 1);
  if (shape.includes(0)) return undefined;
  if (b.random.chance(0.2)) {
    const newshape = [...before, sizeOf(shape.slice(t.axis))];
    return { value: b.tensor('reshape', [t.value], { newshape }), axis: t.axis };
  }
  const merged = after.length > 1 ? [sizeOf(after)] : [...after, 1];
  const newshape = [...before, channelsOf(t), ...merged];
  return { value: b.tensor('reshape', [t.value], { newshape }), axis: t.axis };
};

/** Joins the value with an unscaled one, along the axis or another. */
const concatenated: Passage = (b, t) => {
  const { random } = b;
  const { shape, dtype } = t.value;
  const axis = random.chance(0.5) ? t.axis : random.int(0, shape.length - 1);
  const other = b.operand({ shape, dtype });
  const second = random.chance(0.3) ? scaled(b, { value: other, axis: t.axis }).value : other;
  const fields = b.tuple(random.chance(0.7) ? [t.value, second] : [second, t.value]);
  return { ...t, value: b.tensor('concatenate', [fields], { axis }) };
};

const PASSAGES: ReadonlyArray<readonly [name: string, weight: number, passage: Passage]> = [
  ['nn.relu', 2.5, onValue('nn.relu')],
  ['nn.leaky_relu', 2, onValue('nn.leaky_relu', { alpha: 0.25 })],
  ['add', 2.5, sum('add')],
  ['subtract', 3, sum('subtract')],
  ['nn.max_pool2d', 11, pooled('max')],
  ['nn.avg_pool2d', 8, pooled('avg')],
  ['nn.global_max_pool2d', 11, globalPooled('nn.global_max_pool2d')],
  ['nn.global_avg_pool2d', 9, globalPooled('nn.global_avg_pool2d')],
  ['nn.pad', 3, padded],
  ['transpose', 1.5, transposed],
  ['reshape', 2, reshaped],
  ['concatenate', 2.7, concatenated],
];

/** Pools need images, and global ones images of two dimensions. */
const fits = (name: string, { value }: Tracked): boolean =>
  !name.includes('pool') ||
  (name.includes('global') ? value.shape.length === 4 : value.shape.length >= 3);

/** The value after one operator that a scale may or may not pass through. */
export function passage(b: Builder, t: Tracked, isBackward: boolean): Tracked {
  const usable = PASSAGES.filter(([name]) => b.allows(name) && fits(name, t)).map(
    ([, weight, one]) => [weight, one] as const,
  );
  const all = isBackward && b.allows('nn.bias_add') ? [...usable, [3.5, bias] as const] : usable;
  return (all.length > 0 ? b.random.weighted(all)(b, t) : undefined) ?? t;
}

/** A convolution or product that sums over the axis; its own axis of channels is tracked then. */
export function product(b: Builder, t: Tracked): Tracked | undefined {
  const { random } = b;
  const { value, axis } = t;
  const rank = value.shape.length;
  if (value.shape.includes(0)) return undefined;
  const matrix = productsAlong(rank, axis).filter(b.allows);
  const dims = rank - 2;
  const conv = isImageRank(t) && rank <= 5 ? `nn.conv${dims}d` : '';
  const canConvolve = b.allows(conv);
  const canTranspose = b.allows(`${conv}_transpose`);
  if (matrix.length > 0 && (!canConvolve || random.chance(0.4))) {
    const name = random.pick(matrix);
    return { value: multiplyMatrices(b, value, axis, name), axis: rank - 1 };
  }
  if (!canConvolve) return undefined;
  const isTransposed = canTranspose && random.chance(0.35);
  const grouping = random.weighted([
    [14, 'one'],
    [isTransposed ? 0.5 : 4, 'depthwise'],
    [1.5, 'grouped'],
  ] as const);
  return { value: convolve(b, value, { channelAxis: axis, isTransposed, grouping }), axis };
}

/** A value with an axis of channels. */
export function someTracked(b: Builder): Tracked {
  const { random } = b;
  const rank = random.weighted([
    [1.2, 2],
    [3.5, 3],
    [4, 4],
    [4.5, 5],
  ] as const);
  const value = b.operand({
    rank: [rank, rank],
    fits: (shape) => !shape.includes(0),
    fresh: () => random.pick(SHAPES.filter((shape) => shape.length === rank)),
  });
  const axis = random.weighted([
    [rank > 2 ? 6 : 0, 1],
    [4, rank - 1],
    [0.4, 0],
  ] as const);
  return { value, axis };
}

const SHAPES: ReadonlyArray<ReadonlyArray<number>> = [
  [3, 5],
  [2, 3, 5],
  [2, 6, 7],
  [2, 3, 5, 7],
  [1, 4, 5, 3],
  [2, 5, 7, 3],
  [3, 2, 3, 3],
  [1, 2, 3, 5, 4],
  [1, 3, 2, 3, 5],
];
