/** Scales before and after convolutions and products, for FoldScaleAxis. */
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif, shared } from '../generate/motif.ts';
import type { TensorValue } from '../generate/value.ts';
import { passage, product, scaled, someTracked, type Tracked } from './tracked.ts';

/** `conv(.. relu(x * s) ..)`. */
function forward(b: Builder): TensorValue | undefined {
  let t = scaled(b, someTracked(b));
  shared(b, t.value, 0.06);
  for (let i = passages(b); i > 0; i--) t = passage(b, t, false);
  return consumed(b, t);
}

/** The number of operators between a scale and a product. */
const passages = (b: Builder): number =>
  b.random.weighted([
    [1, 0],
    [5, 1],
    [4, 2],
  ] as const);

/** The value goes to one product, to two, or to one and another user. */
function consumed(b: Builder, t: Tracked): TensorValue {
  const first = product(b, t)?.value;
  if (first === undefined) return t.value;
  if (b.random.chance(0.1)) {
    const second = product(b, t)?.value;
    if (second !== undefined) b.keep(second);
  } else shared(b, t.value, 0.05);
  return first;
}

/** `s * (.. relu(conv(x, w)) ..)`. */
function backward(b: Builder): TensorValue | undefined {
  let t = product(b, someTracked(b));
  if (t === undefined) return undefined;
  shared(b, t.value, 0.05);
  for (let i = passages(b); i > 0; i--) t = passage(b, t, true);
  shared(b, t.value, 0.08);
  return scaled(b, t).value;
}

/** `s * (.. conv(.. x * s ..) ..)`. */
function bothSides(b: Builder): TensorValue | undefined {
  let t = scaled(b, someTracked(b));
  for (let i = passages(b); i > 0; i--) t = passage(b, t, false);
  const between = product(b, t);
  if (between === undefined) return t.value;
  t = between;
  for (let i = passages(b); i > 0; i--) t = passage(b, t, true);
  return scaled(b, t).value;
}

/** `(conv(x, w) + conv(x, v)) * s`, or their concatenation. */
function twoBranches(b: Builder): TensorValue | undefined {
  const start = someTracked(b);
  const left = product(b, start);
  if (left === undefined) return undefined;
  const right = sameProduct(b, left) ?? left;
  const [one, two] = [left, right].map((t) => behind(b, t));
  if (one === undefined || two === undefined) return undefined;
  const isSum = b.random.chance(0.4);
  const joined = isSum
    ? b.tensor(b.random.pick(['add', 'subtract']), [one.value, two.value])
    : b.tensor('concatenate', [b.tuple([one.value, two.value])], {
        axis: concatenationAxis(b, one),
      });
  return scaled(b, { value: joined, axis: one.axis }).value;
}

const concatenationAxis = (b: Builder, t: Tracked): number =>
  b.random.chance(0.5) ? t.axis : b.random.int(0, t.value.shape.length - 1);

/** Another call of the same kind with another weight; or, as a near miss, no product at all. */
function sameProduct(b: Builder, t: Tracked): Tracked | undefined {
  if (b.random.chance(0.15)) {
    return { ...t, value: b.operand({ shape: t.value.shape, dtype: t.value.dtype }) };
  }
  const value = b.again(t.value);
  return value && { ...t, value };
}

/** The value, after an operator that keeps its shape. */
function behind(b: Builder, t: Tracked): Tracked {
  if (b.random.chance(0.5)) return t;
  const relu = b.random.pick(['nn.relu', 'nn.leaky_relu'].filter(b.allows));
  return { ...t, value: b.tensor(relu, [t.value]) };
}

export const scaledInputs: ReadonlyArray<Motif> = [motif(5, 'multiply', forward)];

export const scaleChains: ReadonlyArray<Motif> = [
  motif(6, 'multiply', bothSides),
  motif(2, 'multiply', forward),
  motif(2, 'multiply', backward),
  motif(2.5, 'multiply add subtract concatenate nn.relu', twoBranches),
];

export const scaledResults: ReadonlyArray<Motif> = [
  motif(5, 'multiply', backward),
  motif(1.2, 'multiply add subtract concatenate nn.relu', twoBranches),
];
