/** Masks, counts and choices: comparisons that are cast, and used as numbers. */
import { isFloat, isInteger } from '@baton/tensor';
import { type Builder, computed, dimAt, known, like, sizeOf, type Val } from '../builder.ts';
import {
  binary,
  cast,
  compare,
  reduce,
  sizeAt,
  softmax,
  unary,
  unsqueeze,
  withScalar,
} from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

/** A comparison of a value with a scalar, or with a row. */
function comparison(b: Builder, x: Val): Val {
  const last = sizeOf(x.dims.at(-1));
  const isWhole = isInteger(x.dtype);
  const other =
    last !== undefined && b.draw.chance(0.3)
      ? b.weight(x.dtype, [last])
      : b.scalar(isWhole ? b.draw.int(-1, 2) : b.draw.pick([0, 0.5, -0.25]), x.dtype);
  const late = b.opset >= 12 ? (['GreaterOrEqual', 'LessOrEqual'] as const) : [];
  const early = isWhole ? (['Greater', 'Less', 'Equal'] as const) : (['Greater', 'Less'] as const);
  return compare(b, b.draw.pick([...early, ...late]), x, other);
}

const isCompared = (x: Val): boolean =>
  isFloat(x.dtype) || x.dtype === 'int64' || x.dtype === 'int32';

const asNumber = fragment('mask as a number', 5, (b, x) => {
  if (!isCompared(x)) return undefined;
  const mask = cast(b, comparison(b, x), isFloat(x.dtype) ? x.dtype : 'float32');
  const how = b.draw.int(0, 2);
  if (how === 0) return mask;
  if (how === 1 || !isFloat(x.dtype))
    return withScalar(
      b,
      'Mul',
      binary(b, 'Sub', { ...b.scalar(1, mask.dtype), most: 1 }, mask),
      -100,
    );
  return binary(b, 'Mul', x, mask);
});

const inverted = fragment('logic of masks', 4, (b, x) => {
  const mask = x.dtype === 'bool' ? x : isCompared(x) ? comparison(b, x) : undefined;
  if (mask === undefined) return undefined;
  const not = unary(b, 'Not', mask, 1);
  if (x.dtype === 'bool') return not;
  return { ...binary(b, b.draw.pick(['And', 'Or', 'Xor']), not, comparison(b, x)), most: 1 };
});

const chosen = fragment('Where', 4, (b, x) => {
  if (!isCompared(x)) return undefined;
  const mask = comparison(b, x);
  const other = isFloat(x.dtype)
    ? b.scalar(b.draw.pick([0, -10, 1]), x.dtype)
    : b.scalar(0, x.dtype);
  const [yes, no] = b.draw.chance(0.5) ? [x, other] : [other, x];
  return b.node('Where', [mask, yes, no], like(x, Math.max(10, x.most)));
});

const maskedSoftmax = fragment('softmax of masked scores', 3, (b, x) => {
  if (!isFloat(x.dtype) || x.dims.length < 2 || x.dtype === 'float16') return undefined;
  const mask = comparison(b, x);
  const low = b.draw.pick([-3.4028234663852886e38, -10000, Number.NEGATIVE_INFINITY]);
  const masked = b.node('Where', [mask, b.scalar(low, x.dtype), x], like(x));
  const shares = softmax(b, masked);
  if (low !== Number.NEGATIVE_INFINITY) return shares;
  if (b.opset < 9) return shares;
  // The softmax of a completely masked row is NaN, which exporters replace.
  const undecided = b.node('IsNaN', [shares], { dtype: 'bool', dims: x.dims, most: 1 });
  return b.node('Where', [undecided, b.scalar(0, x.dtype), shares], like(x, 1));
});

const causal = fragment('causal mask', 3, (b, x) => {
  if (b.opset < 12 || x.dims.length < 2 || x.dtype !== 'float32') return undefined;
  const dim = dimAt(x, -1);
  if (dim.sizes.some((n, i) => n !== dimAt(x, -2).sizes[i])) return undefined;
  const size = sizeAt(b, x, x.dims.length - 1, false);
  const range = b.node('Range', [b.scalar(0, 'int64'), size, b.scalar(1, 'int64')], {
    dtype: 'int64',
    dims: [dim],
    most: 100,
  });
  const future = compare(b, 'Less', unsqueeze(b, range, 1), unsqueeze(b, range, 0));
  if (b.draw.chance(0.5)) {
    const masked = b.node('Where', [future, b.scalar(-10000, 'float32'), x], like(x, 1e4));
    return softmax(b, masked);
  }
  return softmax(b, binary(b, 'Add', x, withScalar(b, 'Mul', cast(b, future, 'float32'), -10000)));
});

const triangle = fragment('Trilu', 1, (b, x) => {
  if (b.opset < 14 || x.dims.length < 2 || x.dtype !== 'float32') return undefined;
  return b.node(
    'Trilu',
    [x, b.draw.chance(0.5) ? b.scalar(b.draw.int(-1, 1), 'int64') : undefined],
    like(x),
    { upper: b.draw.int(0, 1) },
  );
});

const countOf = fragment('count of a mask', 3, (b, x) => {
  if (!isCompared(x) || x.dims.length === 0) return undefined;
  const dtype = b.draw.pick(['int64', 'int32', 'float32'] as const);
  return reduce(b, 'ReduceSum', cast(b, comparison(b, x), dtype), [-1], b.draw.chance(0.5));
});

const positionIds = fragment('position ids by CumSum', 2, (b, x) => {
  if (x.dtype !== 'int64' || b.opset < 11 || x.dims.length === 0) return undefined;
  const mask = cast(b, comparison(b, x), 'int64');
  const axis = x.dims.length - 1;
  const sums = b.node('CumSum', [mask, b.scalar(axis, 'int64')], like(mask, 100), {
    exclusive: b.draw.int(0, 1),
  });
  return binary(b, 'Mul', sums, mask);
});

const argument = fragment('ArgMax', 2, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length === 0) return undefined;
  const axis = b.draw.int(0, x.dims.length - 1);
  const keepdims = b.draw.int(0, 1);
  const dims = x.dims.flatMap((dim, i) => (i === axis ? (keepdims ? [known(1)] : []) : [dim]));
  return b.node(
    b.draw.pick(['ArgMax', 'ArgMin']),
    [x],
    { dtype: 'int64', dims, most: 100 },
    { axis, keepdims },
  );
});

const best = fragment('TopK', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (x.dtype !== 'float32' || last === undefined || last < 2 || b.opset < 11) return undefined;
  const k = b.draw.int(1, last);
  const dims = [...x.dims.slice(0, -1), known(k)];
  const [values, places] = b.nodes('TopK', [x, b.ints(k)], [
    { ...like(x), dims },
    { dtype: 'int64', dims, most: 100 },
  ] as const);
  const isOneUsed = b.draw.chance(0.5);
  return isOneUsed ? [b.draw.pick([values, places])] : [values, places];
});

const oneHot = fragment('OneHot', 1, (b, x) => {
  if (x.dtype !== 'int64' || x.dims.length === 0 || x.dims.length > 3) return undefined;
  const bounded = b.opset < 10 ? undefined : withScalar(b, 'Mod', x, 5);
  if (bounded === undefined) return undefined;
  const values = b.weight('float32', [2], { low: 0, high: 1 });
  return b.node(
    'OneHot',
    [bounded, b.scalar(5, 'int64'), values],
    { dtype: 'float32', dims: [...x.dims, known(5)], most: 1 },
    { axis: -1 },
  );
});

const reduced = fragment('reduction', 4, (b, x) => {
  if (x.dims.length === 0 || !isFloat(x.dtype)) return undefined;
  const ops = ['ReduceMean', 'ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceL2'] as const;
  const axes =
    x.dims.length > 1 && b.draw.chance(0.4)
      ? [x.dims.length - 2, x.dims.length - 1]
      : [b.draw.int(-x.dims.length, -1)];
  return reduce(b, b.draw.pick(ops), x, axes, b.draw.chance(0.6));
});

const embedding = fragment('embedding', 4, (b, x) => {
  if (
    !isInteger(x.dtype) ||
    (x.dtype !== 'int64' && x.dtype !== 'int32') ||
    b.opset < 10 ||
    x.dims.length > 3
  )
    return undefined;
  const rows = b.draw.int(4, 12);
  const wide = b.draw.pick([4, 8, 12]);
  const table = b.weight(b.draw.chance(0.8) ? 'float32' : 'float16', [rows, wide]);
  const ids = withScalar(b, 'Mod', x, rows);
  return b.node('Gather', [table, ids], {
    dtype: table.dtype,
    dims: [...x.dims, known(wide)],
    most: 2,
  });
});

/** Distances to each row, and a cutoff: graph networks. */
const cutoff = fragment('cutoff of distances', 2, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length !== 2 || x.most > 1e3) return undefined;
  const apart = binary(b, 'Sub', unsqueeze(b, x, 1), unsqueeze(b, x, 0));
  const squares = reduce(b, 'ReduceSum', binary(b, 'Mul', apart, apart), [2], false);
  const near = cast(
    b,
    compare(b, 'Less', squares, b.scalar(b.draw.pick([1, 4, 9]), 'float32')),
    'float32',
  );
  return b.draw.chance(0.5) ? near : binary(b, 'Mul', squares, near);
});

const gathered = fragment('GatherElements and ScatterElements', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (b.opset < 11 || !isFloat(x.dtype) || x.dims.length !== 2 || last === undefined || last < 2)
    return undefined;
  const first = dimAt(x, 0);
  if (first.isOpen) return undefined;
  const indices = b.weight('int64', [first.sizes[0], 2], { low: -last, high: last - 1 });
  return b.node(
    'GatherElements',
    [x, indices],
    { ...like(x), dims: [first, known(2)] },
    { axis: 1 },
  );
});

const nonFinite = fragment('infinite quotients', 1, (b, x) => {
  if (x.dtype !== 'float32' || b.opset < 10) return undefined;
  const rough = unary(b, 'Floor', x);
  const isInf = b.node('IsInf', [b.node('Reciprocal', [rough], like(x))], {
    dtype: 'bool',
    dims: x.dims,
    most: 1,
  });
  return b.node('Where', [isInf, b.scalar(0, 'float32'), x], like(x));
});

const maskedMean = fragment('mean of masked rows', 2, (b, x) => {
  if (x.dtype !== 'float32' || x.dims.length !== 3) return undefined;
  const [batch, time] = x.dims;
  if (batch === undefined || time === undefined) return undefined;
  const mask = b.input('int64', [batch, time], { low: 0, high: 1 });
  const weights = unsqueeze(b, cast(b, mask, 'float32'), 2);
  const sum = reduce(b, 'ReduceSum', binary(b, 'Mul', x, weights), [1], false);
  const count = reduce(b, 'ReduceSum', weights, [1], false);
  const least =
    b.opset < 11
      ? withScalar(b, 'Add', count, 1e-9)
      : b.node('Clip', [count, b.scalar(1e-9, 'float32')], like(count));
  return {
    ...binary(b, 'Div', sum, { ...least, dims: [batch, computed(() => 1)] }),
    most: x.most * 30,
  };
});

export const maskFragments: ReadonlyArray<Fragment> = [
  asNumber,
  inverted,
  chosen,
  maskedSoftmax,
  causal,
  triangle,
  countOf,
  positionIds,
  argument,
  best,
  oneHot,
  reduced,
  embedding,
  cutoff,
  gathered,
  nonFinite,
  maskedMean,
];
