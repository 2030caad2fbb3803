/**
 * Operators on quantized integers in arithmetic of integers:
 * [operators §9](https://batonjs.github.io/baton/spec/operators#9).
 */
import type { Attrs, AttrValue } from '@baton/ir';
import { type FixedPoint, fixedPoint, quantizedRange } from '@baton/ops';
import { type DType, isDType, type Tensor, tensor, toNumbers } from '@baton/tensor';
import type { MatchedHoles } from '../rule/names.ts';
import { ownRule as rule, ruleSet } from '../rule/rule.ts';
import type { Term } from '../rule/term.ts';
import { axesAfter, fromFront } from './axes.ts';
import { numberOf } from './facts.ts';

const isNumber = ({ dims }: Term): boolean => dims?.length === 0;

/** Facts about a definition: it costs more than the call. */
const DEFINES = { orient: 'canonical' } as const;

interface Typed {
  readonly d: AttrValue;
}
const rangeOf = (dtype: AttrValue | undefined): readonly [number, number] | undefined =>
  isDType(dtype) ? quantizedRange(dtype) : undefined;

/** The type of the scale. */
const realOf = ({ s }: { readonly s: Term }): DType | undefined => s.dtype;

/** The bounds of the type `d`. */
const BOUNDS = {
  l: ({ d }: Typed) => rangeOf(d)?.[0],
  h: ({ d }: Typed) => rangeOf(d)?.[1],
} as const;

interface Parameters {
  readonly s: Term;
  readonly z: Term;
}
/** A scale and a zero point of one number. */
const ONE = { when: ({ s, z }: Parameters) => isNumber(s) && isNumber(z) } as const;
/** One of them lies along an axis. */
const ALONG = { pays: ({ s, z }: Parameters) => !isNumber(s) || !isNumber(z) } as const;

interface Requantized extends Parameters {
  readonly x: Term;
  readonly a: AttrValue;
  readonly t: Term;
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

interface Sides {
  readonly p: Term;
  readonly q: Term;
}
const CENTRED = { ...DEFINES, when: ({ p, q }: Sides) => isNumber(p) && isNumber(q) } as const;

/** The zero points of a weight, laid along the axis of its outputs. */
function alongOutputs({ w, r }: { readonly w: Term; readonly r: Attrs }) {
  const at = String(r.kernel_layout).indexOf('O');
  return w.dims?.slice(Math.max(at, 0)).map((_, i) => (i === 0 ? -1 : 1));
}

const dtypeOf = ({ x }: { readonly x: Term }): DType | undefined => x.dtype;
const BINARY = {
  ...DEFINES,
  let: {
    d: dtypeOf,
    l: (holes: { readonly x: Term }) => rangeOf(dtypeOf(holes))?.[0],
    h: (holes: { readonly x: Term }) => rangeOf(dtypeOf(holes))?.[1],
  },
} as const;

/** A function of what integers stand for, `body` of `%0`. */
const computed = (name: string, body: string) =>
  rule(
    name,
    `${name}(?x, ?s, ?p, ?t, ?q)`,
    `%0 = qnn.dequantize(?x, ?s, ?p); qnn.quantize(${body}, ?t, ?q, out_dtype=?d)`,
    { ...DEFINES, let: { d: dtypeOf, f: realOf } },
  );

const fieldsOf = (count: number, field: (i: number) => string): string =>
  `(${Array.from({ length: count }, (_, i) => `${field(i)},`).join(' ')})`;

/** Tensors brought to the scale of the result, one behind the other. */
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
    { ...DEFINES, let: { d: ({ x0 }: MatchedHoles) => (x0 as Term | undefined)?.dtype } },
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

/** x `op` y, both brought to the scale of the result; a sum of two int32 fits in int64. */
const summed = (op: string): string => `
  %0 = cast(qnn.requantize(?x, ?s, ?p, ?u, 0i32, out_dtype="int32"), dtype="int64");
  %1 = cast(qnn.requantize(?y, ?t, ?q, ?u, 0i32, out_dtype="int32"), dtype="int64");
  cast(clip(%0 ${op} %1 + cast(?o, dtype="int64"), a_min=?l, a_max=?h), dtype=?d)`;

/** Floats as integers, rounded by an operator; the scale and the zero point may lie along an axis. */
const quantizing = (
  name: string,
  round: 'round' | 'rint',
  rounding: 'TONEAREST' | 'TIESTOEVEN',
) => {
  const call = `qnn.quantize(?x, ?s, ?z, axis=?a, out_dtype=?d, rounding="${rounding}")` as const;
  return [
    rule(
      name,
      call,
      `cast(clip(${round}(?x / ?s) + cast(?z, dtype=?f), a_min=?l, a_max=?h), dtype=?d)` as const,
      { ...DEFINES, ...ONE, let: { ...BOUNDS, f: realOf } },
    ),
    rule(
      `${name} along an axis`,
      call,
      `%0 = expand_dims(cast(?z, dtype=?f), axis=-1, num_newaxis=?n);
       %1 = ${round}(?x / expand_dims(?s, axis=-1, num_newaxis=?n)) + %0;
       cast(clip(%1, a_min=?l, a_max=?h), dtype=?d)` as const,
      { ...DEFINES, ...ALONG, let: { ...BOUNDS, n: axesAfter, f: realOf } },
    ),
  ] as const;
};

/** Operators on quantized integers, spelled out. */
export const quantized = ruleSet(
  'quantized',

  // quantize(x) = round(x / s) + z, within the type
  ...quantizing('qnn.quantize', 'round', 'TONEAREST'),
  ...quantizing('qnn.quantize to even', 'rint', 'TIESTOEVEN'),

  // dequantize(x) = (x - z) * s
  rule(
    'qnn.dequantize',
    'qnn.dequantize(?x, ?s, ?z, axis=?a)',
    'cast(cast(?x, dtype="int32") - ?z, dtype=?f) * ?s',
    { ...DEFINES, ...ONE, let: { f: realOf } },
  ),
  rule(
    'qnn.dequantize along an axis',
    'qnn.dequantize(?x, ?s, ?z, axis=?a)',
    `%0 = cast(?x, dtype="int32") - expand_dims(?z, axis=-1, num_newaxis=?n);
     cast(%0, dtype=?f) * expand_dims(?s, axis=-1, num_newaxis=?n)`,
    { ...DEFINES, ...ALONG, let: { n: axesAfter, f: realOf } },
  ),

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

  // products of (x - p) and (w - q)
  rule(
    'qnn.dense',
    'qnn.dense(?x, ?w, ?p, ?q, ?s, ?t, units=?u)',
    'nn.dense(cast(?x, dtype="int32") - ?p, cast(?w, dtype="int32") - ?q, units=?u, out_dtype="int32")',
    CENTRED,
  ),
  rule(
    'qnn.dense along units',
    'qnn.dense(?x, ?w, ?p, ?q, ?s, ?t, units=?u)',
    `%0 = cast(?w, dtype="int32") - expand_dims(?q, axis=1);
     nn.dense(cast(?x, dtype="int32") - ?p, %0, units=?u, out_dtype="int32")`,
    { ...DEFINES, pays: ({ q }) => !isNumber(q) },
  ),
  rule(
    'qnn.conv2d',
    'qnn.conv2d(?x, ?w, ?p, ?q, ?s, ?t, attrs=?r)',
    'nn.conv2d(cast(?x, dtype="int32") - ?p, cast(?w, dtype="int32") - ?q, attrs=?r)',
    CENTRED,
  ),
  rule(
    'qnn.conv2d along channels',
    'qnn.conv2d(?x, ?w, ?p, ?q, ?s, ?t, attrs=?r)',
    `%0 = cast(?w, dtype="int32") - reshape(?q, newshape=?n);
     nn.conv2d(cast(?x, dtype="int32") - ?p, %0, attrs=?r)`,
    { ...DEFINES, pays: ({ q }) => !isNumber(q), let: { n: alongOutputs } },
  ),
  rule(
    'qnn.batch_matmul',
    'qnn.batch_matmul(?x, ?y, ?p, ?q, ?s, ?t)',
    `%0 = (cast(?y, dtype="int32") - ?q);
     nn.batch_matmul(cast(?x, dtype="int32") - ?p, %0, out_dtype="int32", transpose_b=True)`,
    DEFINES,
  ),
  rule(
    'qnn.conv2d_transpose',
    'qnn.conv2d_transpose(?x, ?w, ?p, ?q, ?s, ?t, attrs=?r)',
    `%0 = (cast(?w, dtype="int32") - ?q);
     nn.conv2d_transpose(cast(?x, dtype="int32") - ?p, %0, attrs=?r)`,
    CENTRED,
  ),
  rule(
    'qnn.conv2d_transpose along channels',
    'qnn.conv2d_transpose(?x, ?w, ?p, ?q, ?s, ?t, attrs=?r)',
    `%0 = cast(?w, dtype="int32") - reshape(?q, newshape=?n);
     nn.conv2d_transpose(cast(?x, dtype="int32") - ?p, %0, attrs=?r)`,
    { ...DEFINES, pays: ({ q }) => !isNumber(q), let: { n: alongOutputs } },
  ),

  // functions of (x - p) * s
  computed('qnn.abs', 'abs(%0)'),
  computed('qnn.erf', 'erf(%0)'),
  computed('qnn.exp', 'exp(%0)'),
  computed(
    'qnn.hardswish',
    '%0 * clip(%0 + cast(3f, dtype=?f), a_min=0.0, a_max=6.0) / cast(6f, dtype=?f)',
  ),
  computed('qnn.log', 'log(%0)'),
  computed('qnn.rsqrt', 'rsqrt(%0)'),
  computed('qnn.sigmoid', 'sigmoid(%0)'),
  computed('qnn.sqrt', 'sqrt(%0)'),
  computed('qnn.tanh', 'tanh(%0)'),
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

  // sums in the scale of the result, and products in the scale of both sides
  rule('qnn.add', 'qnn.add(?x, ?y, ?s, ?p, ?t, ?q, ?u, ?o)', summed('+'), BINARY),
  rule('qnn.subtract', 'qnn.subtract(?x, ?y, ?s, ?p, ?t, ?q, ?u, ?o)', summed('-'), BINARY),
  rule(
    'qnn.mul',
    'qnn.mul(?x, ?y, ?s, ?p, ?t, ?q, ?u, ?o)',
    `%0 = (cast(?x, dtype="int32") - ?p) * (cast(?y, dtype="int32") - ?q);
     qnn.requantize(%0, ?s * ?t, 0i32, ?u, ?o, out_dtype=?d)`,
    { ...DEFINES, let: { d: dtypeOf } },
  ),
);
