/** Products with weights, attention as exporters spell it, and decoders with caches. */
import { isFloat } from '@baton/tensor';
import {
  type Builder,
  computed,
  type Dim,
  dimAt,
  known,
  like,
  sameDim,
  sizeOf,
  type Val,
} from '../builder.ts';
import {
  binary,
  cast,
  concat,
  factor,
  matmul,
  reshape,
  sizeAt,
  slice,
  softmax,
  transpose,
  unary,
  unsqueeze,
  withScalar,
} from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

/** A product with a weight that may be computed from a constant, as exporters write it. */
export function project(b: Builder, x: Val, from: number, to: number): Val {
  const how = b.draw.int(0, 4);
  const weight =
    how === 0
      ? transpose(b, factor(b, x.dtype, [to, from], from), [1, 0])
      : how === 1
        ? slice(b, factor(b, x.dtype, [from, to + 2], from), 1, [1, to + 1], known(to))
        : factor(b, x.dtype, [from, to], from);
  const product = { ...matmul(b, x, weight), most: 2 * x.most + 1 };
  return b.draw.chance(0.7) ? binary(b, 'Add', product, b.weight(x.dtype, [to])) : product;
}

const linear = fragment('MatMul and Add', 6, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (!isFloat(x.dtype) || x.dims.length < 2 || last === undefined) return undefined;
  return project(b, x, last, b.draw.pick([1, 3, 4, 5, 8, 16, 17, 33, 70]));
});

const gemm = fragment('Gemm', 4, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || x.dims.length !== 2 || last === undefined) return undefined;
  const to = b.draw.pick([1, 2, 5, 8, 9, 40]);
  const transB = b.draw.int(0, 1);
  const weight = factor(b, 'float32', transB === 1 ? [to, last] : [last, to], last);
  const shift =
    b.opset < 11 || b.draw.chance(0.7)
      ? b.weight('float32', b.draw.pick([[to], [1, to], [1]]))
      : undefined;
  const scales = b.draw.chance(0.3)
    ? { alpha: { float: 0.5 }, beta: { float: b.draw.pick([2, 0]) } }
    : {};
  const dims = [dimAt(x, 0), known(to)];
  return b.node(
    'Gemm',
    [x, weight, shift],
    { ...like(x, 2 * x.most + 2), dims },
    { transB, ...scales },
  );
});

/** A weight that multiplies twice: tied layers. */
const tied = fragment('tied weights', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || x.dims.length < 2 || last === undefined) return undefined;
  const to = b.draw.pick([4, 6, 9]);
  const weight = factor(b, 'float32', [last, to], last);
  const there = unary(b, 'Tanh', matmul(b, x, weight), 1);
  return { ...matmul(b, there, transpose(b, weight, [1, 0])), most: 10 };
});

/** A value times its own transpose. */
const gram = fragment('product of two values', 3, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length < 2 || x.most > 30) return undefined;
  const rank = x.dims.length;
  const other = transpose(b, x, [...Array(rank - 2).keys(), rank - 1, rank - 2]);
  const product = b.draw.chance(0.7) ? matmul(b, x, other) : matmul(b, other, x);
  return { ...withScalar(b, 'Mul', product, 0.1), most: x.most * x.most };
});

const einsum = fragment('Einsum', 1, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || x.dims.length !== 3 || last === undefined || b.opset < 12)
    return undefined;
  const weight = factor(b, 'float32', [last, 2, 3], last);
  const dims = [...x.dims.slice(0, 2), known(2), known(3)];
  return b.node(
    'Einsum',
    [x, weight],
    { ...like(x, 3 * x.most), dims },
    { equation: 'bti,ihd->bthd' },
  );
});

function heads(b: Builder, x: Val, count: number, wide: number): Val {
  const [batch, time] = [dimAt(x, 0), dimAt(x, 1)];
  const dims = [batch, time, known(count), known(wide)];
  const parts = b.draw.chance(0.5)
    ? reshape(b, x, [0, 0, count, wide], dims)
    : b.node(
        'Reshape',
        [
          x,
          concat(b, [sizeAt(b, x, 0, true), sizeAt(b, x, 1, true), b.ints(count), b.ints(wide)], 0),
        ],
        { ...like(x), dims },
      );
  return transpose(b, parts, [0, 2, 1, 3]);
}

/** The heads concatenated again: (b, h, t, d) as (b, t, h·d). */
function merged(b: Builder, x: Val, width: number): Val {
  const back = transpose(b, x, [0, 2, 1, 3]);
  const dims = [dimAt(back, 0), dimAt(back, 1), known(width)];
  return b.draw.chance(0.5)
    ? reshape(b, back, [0, 0, width], dims)
    : b.node(
        'Reshape',
        [back, concat(b, [sizeAt(b, back, 0, true), sizeAt(b, back, 1, true), b.ints(-1)], 0)],
        { ...like(x), dims },
      );
}

/** A mask of attended positions, from an input of ids or lengths. */
function paddingMask(b: Builder, batch: Dim, places: Dim, dtype: Val['dtype']): Val {
  const own = b.draw.chance(0.3) ? b.aliasOf(batch) : batch;
  const given = b.input('int64', [own, places], { low: 0, high: 1 });
  const wide = unsqueeze(b, given, 1, 2);
  const open = binary(b, 'Sub', { ...b.scalar(1, dtype), most: 1 }, cast(b, wide, dtype));
  return withScalar(
    b,
    'Mul',
    open,
    dtype === 'float16' ? -1000 : b.draw.pick([-10000, -3.4028234663852886e38]),
  );
}

interface Heads {
  readonly query: Val;
  readonly key: Val;
  readonly value: Val;
  readonly wide: number;
  readonly mask: Val | undefined;
}

function attend(b: Builder, { query, key, value, wide, mask }: Heads): Val {
  const turned = transpose(b, key, [0, 1, 3, 2]);
  const isScaledFirst = b.draw.chance(0.3);
  const root = Math.sqrt(wide);
  const asked = isScaledFirst ? withScalar(b, 'Mul', query, 1 / Math.sqrt(root)) : query;
  const keys = isScaledFirst ? withScalar(b, 'Mul', turned, 1 / Math.sqrt(root)) : turned;
  const raw = matmul(b, asked, keys);
  const scores = isScaledFirst
    ? raw
    : withScalar(b, b.draw.chance(0.5) ? 'Div' : 'Mul', raw, b.draw.chance(0.5) ? root : 1 / root);
  const masked = mask === undefined ? scores : binary(b, 'Add', scores, mask);
  return { ...matmul(b, softmax(b, masked), value), most: value.most };
}

const selfAttention = fragment('attention', 5, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (!isFloat(x.dtype) || x.dims.length !== 3 || last === undefined || last > 32 || x.most > 50)
    return undefined;
  const [count, wide] = b.draw.pick([
    [2, 4],
    [1, 8],
    [4, 2],
    [2, 8],
  ] as [Split, ...Split[]]);
  const [query, key, value] = [0, 1, 2].map(() =>
    heads(b, project(b, x, last, count * wide), count, wide),
  );
  if (query === undefined || key === undefined || value === undefined) return undefined;
  const mask = b.draw.chance(0.5) ? paddingMask(b, dimAt(x, 0), dimAt(x, 1), x.dtype) : undefined;
  const out = project(
    b,
    merged(b, attend(b, { query, key, value, wide, mask }), count * wide),
    count * wide,
    last,
  );
  return b.draw.chance(0.6) ? binary(b, 'Add', x, out) : out;
});

/** Rotary positions: the halves of the last axis, rotated. */
function rotated(b: Builder, x: Val, wide: number): Val {
  const half = wide / 2;
  const low = slice(b, x, 3, [0, half], known(half));
  const high = slice(b, x, 3, [half, 2 ** 53 - 1], known(half));
  const turned = concat(b, [unary(b, 'Neg', high), low], -1);
  const table = (): Val => b.weight(x.dtype, [1, 1, 1, wide], { low: -1, high: 1 });
  return {
    ...binary(b, 'Add', binary(b, 'Mul', x, table()), binary(b, 'Mul', turned, table())),
    most: 2 * x.most,
  };
}

/** Keys repeated for groups of queries. */
function repeated(b: Builder, x: Val, times: number, count: number, wide: number): Val {
  const [batch, places] = [dimAt(x, 0), dimAt(x, 2)];
  const wider = unsqueeze(b, x, 2);
  const target = concat(
    b,
    [sizeAt(b, x, 0, true), b.ints(count), b.ints(times), sizeAt(b, x, 2, true), b.ints(wide)],
    0,
  );
  const expanded = b.node('Expand', [wider, target], {
    ...like(x),
    dims: [batch, known(count), known(times), places, known(wide)],
  });
  return reshape(
    b,
    expanded,
    [0, count * times, -1, wide],
    [batch, known(count * times), places, known(wide)],
  );
}

/** A step of a decoder: keys and values of the past are inputs, those of the present are outputs. */
const cached = fragment('decoder with a cache', 4, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (
    !isFloat(x.dtype) ||
    x.dims.length !== 3 ||
    last === undefined ||
    last > 32 ||
    x.most > 50 ||
    b.opset < 10
  )
    return undefined;
  const [count, wide] = b.draw.pick([
    [2, 4],
    [1, 8],
    [2, 2],
  ] as [Split, ...Split[]]);
  const times = b.draw.chance(0.4) ? 2 : 1;
  const batch = dimAt(x, 0);
  const past: Dim =
    b.draw.chance(0.6) && batch.isOpen
      ? { sizes: [3, b.draw.int(0, 5)], isOpen: true, name: `past_${last}_${b.values().length}` }
      : known(b.draw.int(1, 4));
  const given = b.draw.chance(0.2) ? b.aliasOf(batch) : batch;
  const [pastKey, pastValue] = [0, 1].map(() =>
    b.input(x.dtype, [given, known(count), past, known(wide)]),
  );
  if (pastKey === undefined || pastValue === undefined) return undefined;
  const isTurned = b.draw.chance(0.5);
  const turn = (value: Val): Val => (isTurned ? rotated(b, value, wide) : value);
  const query = turn(heads(b, project(b, x, last, count * times * wide), count * times, wide));
  const key = concat(
    b,
    [pastKey, turn(heads(b, project(b, x, last, count * wide), count, wide))],
    2,
  );
  const value = concat(
    b,
    [pastValue, heads(b, project(b, x, last, count * wide), count, wide)],
    -2,
  );
  b.keep(key);
  b.keep(value);
  const [keys, values] = [key, value].map((it) =>
    times === 1 ? it : repeated(b, it, times, count, wide),
  );
  if (keys === undefined || values === undefined) return undefined;
  const mask = b.draw.chance(0.4)
    ? paddingMask(
        b,
        batch,
        computed((p, t) => p + t, past, dimAt(x, 1)),
        x.dtype,
      )
    : undefined;
  const fitting = mask !== undefined && sameDim(dimAt(mask, 3), dimAt(keys, 2)) ? mask : undefined;
  const out = attend(b, { query, key: keys, value: values, wide, mask: fitting });
  return project(b, merged(b, out, count * times * wide), count * times * wide, last);
});

const feedForward = fragment('feed forward', 3, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (!isFloat(x.dtype) || x.dims.length < 2 || last === undefined || x.most > 50) return undefined;
  const inner = b.draw.pick([6, 16, 20]);
  const wide = project(b, x, last, inner);
  const gated = b.draw.chance(0.5)
    ? binary(b, 'Mul', unary(b, 'Sigmoid', wide, 1), project(b, x, last, inner))
    : unary(b, 'Relu', wide);
  return binary(b, 'Add', x, project(b, gated, inner, last));
});

/** A number of heads, and the width of each. */
type Split = readonly [count: number, wide: number];

export const attentionFragments: ReadonlyArray<Fragment> = [
  linear,
  gemm,
  tied,
  gram,
  einsum,
  selfAttention,
  cached,
  feedForward,
];
