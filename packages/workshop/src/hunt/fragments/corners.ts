/** Rare attributes, types and numbers of operators, which some exporters write. */
import { elementNumber } from '@baton/onnx';
import { isFloat, isInteger, tensor } from '@baton/tensor';
import { computed, type Dim, dimAt, known, like, sizeOf, type Val } from '../builder.ts';
import {
  binary,
  cast,
  clip,
  compare,
  concat,
  reduce,
  reshape,
  shapeOf,
  slice,
  unary,
  withScalar,
} from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

const isWide = (x: Val): boolean => x.dtype === 'float32' && x.dims.length > 0;

/** Numbers near the ends of a type, as epsilons and masks are. */
const extremeScalars = fragment('extreme scalars', 3, (b, given) => {
  if (!isFloat(given.dtype) || given.dtype === 'float64') return undefined;
  const isHalf = given.dtype === 'float16';
  // What follows stays in the range of float16.
  const x = isHalf ? withScalar(b, 'Mul', unary(b, 'Tanh', given, 1), 0.3) : given;
  const tiny = isHalf ? b.draw.pick([1e-5, 2e-5, 1e-4]) : b.draw.pick([1e-12, 1e-38, 1e-7]);
  const huge = isHalf ? b.draw.pick([65504, 1000, 30000]) : b.draw.pick([1e30, 1e10]);
  const how = b.draw.int(0, 3);
  const up = (value: Val): Val => ({ ...value, most: x.most });
  if (how === 0) return up(withScalar(b, 'Mul', withScalar(b, 'Div', x, tiny), tiny));
  if (how === 1) return up(withScalar(b, 'Mul', withScalar(b, 'Div', x, huge), huge));
  if (how === 2) return up(withScalar(b, 'Mul', withScalar(b, 'Mul', x, huge), 1 / huge));
  return up(
    binary(b, 'Mul', x, withScalar(b, 'Mul', withScalar(b, 'Mul', x, isHalf ? 1e-3 : tiny), 3)),
  );
});

/** Integers beyond those that a double holds. */
const bigIntegers = fragment('64-bit integers', 2, (b, x) => {
  if (x.dtype !== 'int64' || b.opset < 12) return undefined;
  const big = b.constant(
    tensor(BigInt64Array.of(2n ** 53n + BigInt(b.draw.int(1, 99))), [], 'int64'),
  );
  const op = b.draw.pick(['Min', 'Max', 'Add']);
  const moved = op === 'Add' ? { ...binary(b, 'Add', x, big), most: 100 } : binary(b, op, x, big);
  return op === 'Add' ? { ...binary(b, 'Sub', moved, big), most: x.most } : moved;
});

/** Round trips of casts between bytes, integers and floats. */
const castChain = fragment('a chain of casts', 3, (b, x) => {
  if (x.most > 120 || x.dtype === 'float64') return undefined;
  const types = [
    'uint8',
    'int8',
    'int32',
    'int64',
    'float32',
    'float16',
    'bool',
    'float64',
  ] as const;
  let value = x;
  for (let i = b.draw.int(2, 4); i > 0; i--) {
    const dtype = b.draw.pick(types);
    // Negative floats as unsigned integers are undefined.
    const isUndefined = isFloat(value.dtype) && (dtype === 'uint8' || dtype === 'int8');
    value = cast(b, isUndefined ? cast(b, value, 'int32') : value, dtype);
  }
  return { ...cast(b, value, b.draw.pick(['float32', 'int64', 'float32'])), most: 256 };
});

const activations = fragment('rare activations', 3, (b, x) => {
  if (!isWide(x) || x.most > 100) return undefined;
  const plain = [
    'Selu',
    'Softsign',
    'Celu',
    'ThresholdedRelu',
    'Shrink',
    'Softplus',
    ...(b.opset >= 14 ? ['HardSwish'] : []),
    ...(b.opset >= 18 ? ['Mish'] : []),
    ...(b.opset >= 20 ? ['Gelu'] : []),
  ];
  const op = b.draw.pick(['Selu', ...plain]);
  if (op === 'Celu' && b.opset < 12) return undefined;
  return b.node(
    op,
    [x],
    like(x, 2 * x.most),
    op === 'Gelu' ? { approximate: b.draw.pick(['tanh', 'none']) } : {},
  );
});

const REDUCTIONS = [
  'ReduceProd',
  'ReduceLogSumExp',
  'ReduceSumSquare',
  'ReduceL1',
  'ReduceMax',
  'ReduceMin',
  'ReduceMean',
  'ReduceSum',
] as const;

const reductions = fragment('rare reductions', 3, (b, x) => {
  if (!isWide(x) || x.most > 3) return undefined;
  const axes = [...x.dims.keys()].filter(() => b.draw.chance(0.5));
  const op = b.draw.pick(REDUCTIONS);
  if (axes.length === 0) {
    const keepdims = b.draw.int(0, 1);
    return b.node(
      op,
      [x],
      { ...like(x, 1e3), dims: keepdims === 1 ? x.dims.map(() => known(1)) : [] },
      { keepdims },
    );
  }
  return { ...reduce(b, op, x, axes, b.draw.chance(0.5)), most: 1e3 };
});

const integerReductions = fragment('reductions of integers', 2, (b, x) => {
  if ((x.dtype !== 'int64' && x.dtype !== 'int32') || x.dims.length === 0) return undefined;
  // onnxruntime does not wrap a product that overflows.
  const fits = x.most ** Math.max(...dimAt(x, -1).sizes) < 2 ** 31;
  const op = b.draw.pick([
    'ReduceMax',
    'ReduceMin',
    'ReduceSum',
    fits ? 'ReduceProd' : 'ReduceMax',
  ]);
  return reduce(b, op, x, [-1], b.draw.chance(0.5));
});

/** Softmax before set 13 works on the flattened rest of the axes. */
const flatSoftmax = fragment('softmax of flattened axes', 2, (b, x) => {
  if (!isWide(x) || x.dims.length < 2) return undefined;
  return b.node(b.draw.pick(['Softmax', 'LogSoftmax']), [x], like(x, 100), {
    axis: b.draw.int(b.opset < 13 ? 0 : -x.dims.length, x.dims.length - 1),
  });
});

const pads = fragment('rare pads', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (!isWide(x) || x.dims.length < 2 || b.opset < 11 || last === undefined || last < 4)
    return undefined;
  const mode = b.draw.pick(['reflect', 'edge', 'constant']);
  const [before, after] = [
    b.draw.int(mode === 'constant' ? -1 : 0, 2),
    b.draw.int(mode === 'constant' ? -1 : 0, 2),
  ];
  const rank = x.dims.length;
  const list = Array.from({ length: 2 * rank }, (_, i) =>
    i === rank - 1 ? before : i === 2 * rank - 1 ? after : 0,
  );
  const dims = x.dims.map((dim, i) => (i === rank - 1 ? known(last + before + after) : dim));
  return b.node('Pad', [x, b.ints(...list)], { ...like(x), dims }, { mode });
});

const windows = fragment('rare pools', 3, (b, x) => {
  if (
    !isWide(x) ||
    x.dims.length < 3 ||
    x.dims.length > 4 ||
    x.dims.slice(2).some(({ sizes }) => Math.min(...sizes) < 4)
  )
    return undefined;
  if (sizeOf(x.dims[1]) === undefined) return undefined;
  const [kernel, stride, pad] = [b.draw.int(2, 3), b.draw.int(1, 3), b.draw.int(0, 1)];
  const ceil = b.opset >= 10 ? b.draw.int(0, 1) : 0;
  const isMax = b.draw.chance(0.5);
  const after = isMax ? b.draw.int(0, 1) : pad;
  const out = (dim: Dim): Dim =>
    computed((n) => {
      const steps = (n + pad + after - kernel) / stride;
      const count = (ceil === 1 ? Math.ceil(steps) : Math.floor(steps)) + 1;
      // A window that begins in the padding after the data is left out.
      return ceil === 1 && (count - 1) * stride >= n + pad ? count - 1 : count;
    }, dim);
  const inner = x.dims.slice(2);
  const dims = [...x.dims.slice(0, 2), ...inner.map(out)];
  const each = (value: number): number[] => inner.map(() => value);
  return b.node(
    isMax ? 'MaxPool' : 'AveragePool',
    [x],
    { ...like(x), dims },
    {
      kernel_shape: each(kernel),
      strides: each(stride),
      pads: [...each(pad), ...each(after)],
      ...(ceil === 1 ? { ceil_mode: 1 } : {}),
      ...(isMax ? {} : { count_include_pad: b.draw.int(0, 1) }),
    },
  );
});

const dilated = fragment('dilated Conv', 3, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  if (!isWide(x) || x.dims.length !== 4 || channels === undefined || channels > 16 || x.most > 100)
    return undefined;
  if (x.dims.slice(2).some(({ sizes }) => Math.min(...sizes) < 5)) return undefined;
  const [h, w] = [b.draw.int(1, 3), b.draw.int(1, 2)];
  const dilations = [b.draw.int(1, 2), b.draw.int(1, 2)] as const;
  const padding = [0, 1, 2, 3].map(() => b.draw.int(0, 2)) as [number, number, number, number];
  const strides = [b.draw.int(1, 2), b.draw.int(1, 3)] as const;
  const out = (dim: Dim, kernel: number, i: 0 | 1): Dim =>
    computed(
      (n) =>
        Math.floor(
          (n + padding[i] + padding[(i + 2) as 2 | 3] - dilations[i] * (kernel - 1) - 1) /
            strides[i],
        ) + 1,
      dim,
    );
  const dims = [dimAt(x, 0), known(6), out(dimAt(x, 2), h, 0), out(dimAt(x, 3), w, 1)];
  const group = channels % 2 === 0 ? b.draw.pick([1, 2]) : 1;
  const weight = b.weight('float32', [6, channels / group, h, w], { low: -0.5, high: 0.5 });
  return b.node(
    'Conv',
    [x, weight, b.draw.chance(0.5) ? b.weight('float32', [6]) : undefined],
    { ...like(x, x.most * 10), dims },
    { dilations, pads: padding, strides, group, kernel_shape: [h, w] },
  );
});

const resized = fragment('rare Resize', 2, (b, x) => {
  if (
    !isWide(x) ||
    x.dims.length !== 4 ||
    b.opset < 10 ||
    x.dims.slice(2).some((dim) => dim.isOpen || dim.sizes[0] < 2 || dim.sizes[0] > 16)
  )
    return undefined;
  const scale = b.draw.pick([0.5, 0.6, 1.5, 2, 3]);
  const scales = b.constant(tensor([1, 1, scale, scale], [4], 'float32'));
  const f = Math.fround(scale);
  const dims = [
    ...x.dims.slice(0, 2),
    ...x.dims.slice(2).map((dim) => computed((n) => Math.floor(n * f), dim)),
  ];
  if (dims.some(({ sizes }) => sizes[0] < 1)) return undefined;
  const mode = b.draw.pick(['nearest', 'linear']);
  if (b.opset < 11) return b.node('Resize', [x, scales], { ...like(x), dims }, { mode });
  const roi = b.opset < 13 ? b.constant(tensor([], [0], 'float32')) : undefined;
  // ONNX measures to the corners with the size before it is rounded, and onnxruntime after.
  const isWhole = x.dims.slice(2).every(({ sizes }) => Number.isInteger(sizes[0] * f));
  const how = {
    coordinate_transformation_mode: b.draw.pick([
      'half_pixel',
      'asymmetric',
      ...(isWhole ? ['align_corners'] : []),
      'pytorch_half_pixel',
    ]),
  };
  const rounding =
    mode === 'nearest'
      ? { nearest_mode: b.draw.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']) }
      : {};
  return b.node('Resize', [x, roi, scales], { ...like(x), dims }, { mode, ...how, ...rounding });
});

/** The known sizes of a float32 matrix; zeros for other values. */
function knownMatrix(x: Val): readonly [rows: number, columns: number] {
  const [first, second, ...more] = x.dims;
  if (!isWide(x) || first === undefined || second === undefined || more.length > 0) return [0, 0];
  return first.isOpen || second.isOpen ? [0, 0] : [first.sizes[0], second.sizes[0]];
}

const scattered = fragment('ScatterND and ScatterElements', 2, (b, x) => {
  const [rows, columns] = knownMatrix(x);
  if (rows < 3 || b.opset < 11) return undefined;
  if (b.draw.chance(0.5)) {
    const chosen = b.constant(tensor([2, 0], [2, 1], 'int64'));
    return b.node(
      'ScatterND',
      [x, chosen, b.weight('float32', [2, columns])],
      like(x, Math.max(2, x.most)),
    );
  }
  const indices = b.constant(
    tensor(
      Array.from({ length: columns }, (_, i) => (i % 3) - (i % 2 === 0 ? 0 : rows)),
      [1, columns],
      'int64',
    ),
  );
  return b.node(
    'ScatterElements',
    [x, indices, b.weight('float32', [1, columns])],
    like(x, Math.max(2, x.most)),
    { axis: 0 },
  );
});

const pointwise = fragment('GatherND', 1, (b, x) => {
  const [rows, columns] = knownMatrix(x);
  if (rows === 0 || b.opset < 11) return undefined;
  const pairs = [0, 1, 2].flatMap(() => [
    b.draw.int(0, rows - 1),
    b.draw.int(-columns, columns - 1),
  ]);
  return b.node('GatherND', [x, b.constant(tensor(pairs, [3, 2], 'int64'))], {
    ...like(x),
    dims: [known(3)],
  });
});

const sums = fragment('Sum and Mean of several', 2, (b, x) => {
  if (!isWide(x)) return undefined;
  const parts = [x, unary(b, 'Tanh', x, 1), b.weight('float32', [1])];
  return b.node(
    b.draw.pick(['Sum', 'Mean', 'Max', 'Min']),
    b.draw.chance(0.3) ? [x] : parts,
    like(x, 2 * x.most + 3),
  );
});

const dropped = fragment('Dropout and Identity', 2, (b, x) => {
  if (x.dtype !== 'float32') return undefined;
  const value = unary(b, 'Identity', x);
  if (b.opset < 12 || b.draw.chance(0.5)) return b.node('Dropout', [value], like(x));
  return b.nodes('Dropout', [value, b.scalar(0.5, 'float32')], [
    like(x),
    { dtype: 'bool', dims: x.dims, most: 1 },
  ] as const);
});

const sizes = fragment('Size, and a part of Shape', 2, (b, x) => {
  if (x.dims.length === 0) return undefined;
  if (b.opset < 15 || b.draw.chance(0.5))
    return b.node('Size', [x], { dtype: 'int64', dims: [], most: 1e4 });
  const start = b.draw.int(0, x.dims.length - 1);
  return b.node(
    'Shape',
    [x],
    { dtype: 'int64', dims: [known(x.dims.length - start)], most: 100 },
    { start },
  );
});

const sorted = fragment('rare TopK', 1, (b, x) => {
  const first = sizeOf(x.dims[0]);
  if (!isWide(x) || b.opset < 11 || first === undefined || first < 2) return undefined;
  const k = b.draw.int(1, first);
  const dims = [known(k), ...x.dims.slice(1)];
  return b.nodes(
    'TopK',
    [x, b.ints(k)],
    [
      { ...like(x), dims },
      { dtype: 'int64', dims, most: 100 },
    ] as const,
    { axis: 0, largest: 0 },
  );
});

const sumsAlong = fragment('rare CumSum', 1, (b, x) => {
  if (!isWide(x) || b.opset < 11) return undefined;
  return b.node('CumSum', [x, b.scalar(-1, 'int64')], like(x, x.most * 100), {
    exclusive: b.draw.int(0, 1),
    reverse: b.draw.int(0, 1),
  });
});

const halfNorm = fragment('LayerNormalization in float16', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (b.opset < 17 || last === undefined || x.dims.length < 2 || x.dtype !== 'float16')
    return undefined;
  return b.node('LayerNormalization', [x, b.weight(x.dtype, [last])], like(x, last), {
    axis: b.draw.pick([-1]),
  });
});

const truths = fragment('booleans as they are', 2, (b, x) => {
  if (x.dtype !== 'bool' || x.dims.length === 0) return undefined;
  const how = b.draw.int(0, 3);
  if (how === 0) return compare(b, 'Equal', x, unary(b, 'Not', x));
  if (how === 1) return concat(b, [x, unary(b, 'Not', x)], -1);
  if (how === 2)
    return b.node('Where', [x, b.scalar(1, 'float32'), b.scalar(-0.5, 'float32')], {
      dtype: 'float32',
      dims: x.dims,
      most: 1,
    });
  return b.node('Expand', [x, b.ints(2, ...x.dims.map(() => 1))], {
    ...like(x),
    dims: [known(2), ...x.dims],
  });
});

const manyAxes = fragment('Slice of several axes', 2, (b, x) => {
  if (b.opset < 10 || x.dims.length < 2 || x.dims.some(({ sizes: [a, c] }) => Math.min(a, c) < 2))
    return undefined;
  const last = x.dims.length - 1;
  const dims = x.dims.map((dim, i) => (i === 0 || i === last ? computed((n) => n - 1, dim) : dim));
  const dtype = b.draw.pick(['int32', 'int64'] as const);
  const list = (...values: number[]): Val => b.constant(tensor(values, [values.length], dtype));
  return b.node('Slice', [x, list(1, 0), list(2 ** 30, -1), list(0, -1)], { ...like(x), dims });
});

const alike = fragment('two equal parts', 3, (b, x) => {
  if (!isWide(x) || x.most > 100) return undefined;
  const one = (): Val => withScalar(b, 'Mul', unary(b, 'Sigmoid', x, 1), 2);
  const [left, right] = [one(), one()];
  return b.draw.chance(0.5) ? binary(b, 'Add', left, right) : concat(b, [left, right, x], -1);
});

const limits = fragment('Clip with one limit', 2, (b, x) => {
  const isWhole = isInteger(x.dtype) && x.dtype === 'int64';
  if (b.opset < 12 || (!isWide(x) && !isWhole)) return isWide(x) ? clip(b, x, -1, 1) : undefined;
  const limit = b.scalar(b.draw.pick([0, 1, -2]), x.dtype);
  return b.node(
    'Clip',
    b.draw.chance(0.5) ? [x, limit] : [x, undefined, limit],
    like(x, x.most + 2),
  );
});

const likeCast = fragment('CastLike', 1, (b, x) => {
  if (b.opset < 15 || x.most > 100 || !isFloat(x.dtype)) return undefined;
  const dtype = b.draw.pick(['float16', 'float32', 'int32'] as const);
  return b.node('CastLike', [x, b.scalar(0, dtype)], { ...like(x), dtype });
});

const bits = fragment('bits', 1, (b, x) => {
  if (b.opset < 18 || (x.dtype !== 'int64' && x.dtype !== 'int32')) return undefined;
  return binary(
    b,
    b.draw.pick(['BitwiseAnd', 'BitwiseOr', 'BitwiseXor']),
    x,
    b.scalar(b.draw.int(1, 12), x.dtype),
  );
});

const remainders = fragment('rare Mod', 1, (b, x) => {
  if (b.opset < 13 || x.dtype !== 'float32') return undefined;
  return b.node('Mod', [x, b.scalar(b.draw.pick([0.75, -2]), 'float32')], like(x, 2), { fmod: 1 });
});

const eye = fragment('EyeLike', 1, (b, x) => {
  if (x.dims.length !== 2 || x.dtype !== 'float32') return undefined;
  const one = b.node('EyeLike', [x], like(x, 1), {
    k: b.draw.int(-1, 1),
    dtype: elementNumber('float32'),
  });
  return binary(b, 'Add', x, one);
});

const flattened = fragment('Flatten at an axis', 2, (b, x) => {
  if (x.dims.length < 2) return undefined;
  const axis = b.draw.int(0, x.dims.length);
  const product = (dims: ReadonlyArray<Dim>): Dim =>
    computed((...all) => all.reduce((a, c) => a * c, 1), ...dims);
  return b.node(
    'Flatten',
    [x],
    { ...like(x), dims: [product(x.dims.slice(0, axis)), product(x.dims.slice(axis))] },
    { axis },
  );
});

/** A reshape to the shape of another value, computed in another part of the graph. */
const shapedLike = fragment('Reshape to the Shape of another', 2, (b, x) => {
  const own = x.dims;
  if (own.length < 2) return undefined;
  const all = computed((...n) => n.reduce((a, c) => a * c, 1), ...own);
  const flat = reshape(b, x, [-1], [all]);
  return b.node('Reshape', [unary(b, 'Identity', flat), shapeOf(b, x)], like(x));
});

const vectors = fragment('MatMul with a vector', 2, (b, x) => {
  const last = sizeOf(x.dims.at(-1));
  if (!isWide(x) || last === undefined || x.dims.length < 2) return undefined;
  const vector = b.weight('float32', [last], { low: -0.5, high: 0.5 });
  return b.node('MatMul', [x, vector], { ...like(x, x.most * last), dims: x.dims.slice(0, -1) });
});

const turnedRows = fragment('Gemm of a transposed operand', 1, (b, x) => {
  const first = sizeOf(x.dims[0]);
  if (!isWide(x) || x.dims.length !== 2 || first === undefined || b.opset < 11) return undefined;
  const weight = b.weight('float32', [first, 3], { low: -0.3, high: 0.3 });
  return b.node(
    'Gemm',
    [x, weight],
    { ...like(x, x.most * first), dims: [dimAt(x, 1), known(3)] },
    { transA: 1 },
  );
});

const tail = fragment('the end of an axis', 2, (b, x) => {
  if (b.opset < 10 || x.dims.length === 0) return undefined;
  const dim = dimAt(x, -1);
  if (dim.isOpen || Math.min(...dim.sizes) < 3) return undefined;
  return slice(b, x, -1, [-3, 2 ** 53 - 1, 2], known(2));
});

export const cornerFragments: ReadonlyArray<Fragment> = [
  extremeScalars,
  bigIntegers,
  castChain,
  activations,
  reductions,
  integerReductions,
  flatSoftmax,
  pads,
  windows,
  dilated,
  resized,
  scattered,
  pointwise,
  sums,
  dropped,
  sizes,
  sorted,
  sumsAlong,
  halfNorm,
  truths,
  manyAxes,
  alike,
  limits,
  likeCast,
  bits,
  remainders,
  eye,
  flattened,
  shapedLike,
  vectors,
  turnedRows,
  tail,
];
