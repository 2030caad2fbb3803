/**
 * Operators on quantized integers in arithmetic of integers:
 * [operators §9](https://batonjs.github.io/baton/spec/operators#9).
 */
import type { AttrValue } from '@baton/ir';
import { type FixedPoint, fixedPoint, quantizedRange } from '@baton/ops';
import { type DType, isDType, type Tensor, tensor, toNumbers } from '@baton/tensor';
import type { MatchedValue } from '../rule/matched-value.ts';
import type { MatchedHoles } from '../rule/names.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import { fromFront } from './axes.ts';
import { numberOf } from './facts.ts';
import { rulesFromDefinition } from './from-definition.ts';

const isNumber = ({ dims }: MatchedValue): boolean => dims?.length === 0;

/** Facts about a definition: it costs more than the call. */
const DEFINES = { orient: 'canonical' } as const;

interface Typed {
  readonly d: AttrValue;
}
const rangeOf = (dtype: AttrValue | undefined): readonly [number, number] | undefined =>
  isDType(dtype) ? quantizedRange(dtype) : undefined;

/** The bounds of the type `d`. */
const BOUNDS = {
  l: ({ d }: Typed) => rangeOf(d)?.[0],
  h: ({ d }: Typed) => rangeOf(d)?.[1],
} as const;

interface Parameters {
  readonly s: MatchedValue;
  readonly z: MatchedValue;
}
interface Requantized extends Parameters {
  readonly x: MatchedValue;
  readonly a: AttrValue;
  readonly t: MatchedValue;
}

/** The ratios of the scales in fixed point, if they are known, and their shifts are of int64. */
function ratiosOf({ s, t }: Requantized): ReadonlyArray<FixedPoint> | undefined {
  const to = numberOf(t);
  if (s.constant === undefined || to === undefined) return undefined;
  const ratios = Array.from(toNumbers(s.constant), (scale) => Number(scale) / to);
  if (!ratios.every((ratio) => ratio > 0 && Number.isFinite(ratio))) return undefined;
  const found = ratios.map(fixedPoint);
  return found.every(({ shift }) => shift > 0 && shift < SHIFTS) ? found : undefined;
}

/** Shifts of int64 are taken modulo its width. */
const SHIFTS = 63;

/** A number of each ratio, laid along the axis of the data. */
const eachRatio =
  (number: (ratio: FixedPoint) => bigint) =>
  (holes: Requantized): Tensor | undefined => {
    const ratios = ratiosOf(holes);
    const { s, x, a } = holes;
    if (ratios === undefined || x.dims === undefined) return undefined;
    const at = fromFront(a, x.dims.length);
    const along = x.dims.slice(at).map((_, i) => (i === 0 ? ratios.length : 1));
    return tensor(ratios.map(number), isNumber(s) ? [] : along, 'int64');
  };

const half = ({ shift }: FixedPoint): bigint => 1n << BigInt(shift - 1);

/** (x - z) * s / t as a product m / 2^k in fixed point */
const REQUANTIZED = {
  ...DEFINES,
  when: ({ z }: Parameters) => isNumber(z),
  let: {
    ...BOUNDS,
    m: eachRatio(({ multiplier }) => BigInt(multiplier)),
    k: eachRatio(({ shift }) => BigInt(shift)),
    r: eachRatio(half),
    q: eachRatio((ratio) => half(ratio) - 1n),
  },
} as const;

const product = '%0 = ?m * cast(cast(?x, dtype="int32") - ?z, dtype="int64");';
const bounded = (sum: string): string =>
  `cast(clip(${sum} + cast(?w, dtype="int64"), a_min=?l, a_max=?h), dtype=?d)`;

const dtypeOf = ({ x }: { readonly x: MatchedValue }): DType | undefined => x.dtype;
const BINARY = {
  ...DEFINES,
  let: {
    d: dtypeOf,
    l: (holes: { readonly x: MatchedValue }) => rangeOf(dtypeOf(holes))?.[0],
    h: (holes: { readonly x: MatchedValue }) => rangeOf(dtypeOf(holes))?.[1],
  },
} as const;

const fieldsOf = (count: number, field: (i: number) => string): string =>
  `(${Array.from({ length: count }, (_, i) => `${field(i)},`).join(' ')})`;

/** Tensors requantized to the scale of the result and concatenated. */
const joined = (count: number) => {
  const [x, s, z] = ['x', 's', 'z'].map((name) => fieldsOf(count, (i) => `?${name}${i}`));
  const each = fieldsOf(
    count,
    (i) => `qnn.requantize(?x${i}, ?s${i}, ?z${i}, ?u, ?o, out_dtype=?d)`,
  );
  return rule(
    `qnn.concatenate of ${count}`,
    `qnn.concatenate(${x}, ${s}, ${z}, ?u, ?o, axis=?a)`,
    `concatenate(${each}, axis=?a)`,
    { ...DEFINES, let: { d: ({ x0 }: MatchedHoles) => (x0 as MatchedValue | undefined)?.dtype } },
  );
};

interface Sloped {
  readonly a: AttrValue;
}

/** A number of a slope in int64, if its products fit; none for slopes of extreme size. */
const ofSlope =
  (slope: (a: number) => number, number: (slope: FixedPoint) => bigint) =>
  ({ a }: Sloped): Tensor | undefined => {
    const found = fixedPoint(slope(Number(a)));
    return found.shift > 0 && found.shift < SHIFTS
      ? tensor([number(found)], [], 'int64')
      : undefined;
  };
const slope = (a: number): number => a;
const rest = (a: number): number => 1 - a;

/** The rules of a definition under these names, of which the operator's is the first. */
const definitions = (name: string, ...others: ReadonlyArray<string>) =>
  rulesFromDefinition(name, { names: [name, ...others] });

/** Operators on quantized integers, spelled out. */
export const quantized = ruleSet(
  'quantized',

  ...definitions(
    'qnn.quantize',
    'qnn.quantize along an axis',
    'qnn.quantize to even',
    'qnn.quantize to even along an axis',
  ),
  ...definitions('qnn.dequantize', 'qnn.dequantize along an axis'),

  // requantize(x) = ((x - z) * m + 2^(k-1)) >> k + w, within the type
  rule(
    'qnn.requantize upward',
    'qnn.requantize(?x, ?s, ?z, ?t, ?w, axis=?a, rounding="UPWARD", out_dtype=?d)',
    `${product} ${bounded('right_shift(%0 + ?r, ?k)')}`,
    REQUANTIZED,
  ),
  // one less below 0, so that halves go away from it
  rule(
    'qnn.requantize to nearest',
    'qnn.requantize(?x, ?s, ?z, ?t, ?w, axis=?a, rounding="TONEAREST", out_dtype=?d)',
    `${product} ${bounded('right_shift(%0 + where(%0 < 0i64, ?q, ?r), ?k)')}`,
    REQUANTIZED,
  ),

  ...definitions('qnn.dense', 'qnn.dense along units'),
  ...definitions('qnn.conv2d', 'qnn.conv2d along channels'),
  ...definitions('qnn.batch_matmul'),
  ...definitions('qnn.conv2d_transpose', 'qnn.conv2d_transpose along channels'),

  ...['abs', 'erf', 'exp', 'hardswish', 'log', 'rsqrt', 'sigmoid', 'sqrt', 'tanh'].flatMap((name) =>
    definitions(`qnn.${name}`),
  ),
  // alpha * x below 0, in fixed point: there w comes to alpha * w + (1 - alpha) * w
  rule(
    'qnn.leaky_relu',
    'qnn.leaky_relu(?x, ?s, ?z, ?t, ?w, alpha=?a)',
    `%0 = cast(qnn.requantize(?x, ?s, ?z, ?t, ?w, out_dtype="int32"), dtype="int64");
     %1 = right_shift(?n * cast(?w, dtype="int64") + ?g, ?j);
     %2 = right_shift(?m * %0 + ?f, ?k) + %1;
     %3 = where(cast(?x, dtype="int32") < ?z, %2, %0);
     cast(clip(%3, a_min=?l, a_max=?h), dtype=?d)`,
    {
      ...BINARY,
      let: {
        ...BINARY.let,
        m: ofSlope(slope, ({ multiplier }) => BigInt(multiplier)),
        k: ofSlope(slope, ({ shift }) => BigInt(shift)),
        f: ofSlope(slope, half),
        n: ofSlope(rest, ({ multiplier }) => BigInt(multiplier)),
        j: ofSlope(rest, ({ shift }) => BigInt(shift)),
        g: ofSlope(rest, half),
      },
    },
  ),
  joined(1),
  joined(2),
  joined(3),
  joined(4),

  ...definitions('qnn.add'),
  ...definitions('qnn.subtract'),
  ...definitions('qnn.mul'),
);
