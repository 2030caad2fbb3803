/** Blocks of convolutional networks. */
import {
  type Builder,
  computed,
  type Dim,
  dimAt,
  known,
  like,
  sizeOf,
  type Val,
} from '../builder.ts';
import { binary, cast, concat, factor, floats, reshape, transpose, unary } from '../calls.ts';
import { type Fragment, fragment } from './fragment.ts';

/** The size after a window. */
const windowed = (dim: Dim, kernel: number, stride: number, pads: number): Dim =>
  computed((n) => Math.floor((n + pads - kernel) / stride) + 1, dim);

/** The channels of an image of float32, if it has at least `least` rows and columns. */
function channelsOf(x: Val, least: number): number | undefined {
  const isImage = x.dtype === 'float32' && x.dims.length === 4;
  if (!isImage || x.dims.slice(2).some(({ sizes }) => Math.min(...sizes) < least)) return undefined;
  const channels = sizeOf(x.dims[1]);
  return channels !== undefined && channels <= 64 ? channels : undefined;
}

interface ConvChoices {
  readonly kernel: number;
  readonly stride: number;
  readonly group: number;
  readonly to: number;
}

function conv(
  b: Builder,
  x: Val,
  channels: number,
  { kernel, stride, group, to }: ConvChoices,
): Val {
  const inner = (channels / group) * kernel * kernel;
  const weight = factor(b, 'float32', [to, channels / group, kernel, kernel], inner);
  const shift = b.draw.chance(0.6)
    ? b.weight('float32', [to], { low: -0.5, high: 0.5 })
    : undefined;
  const isSame = b.draw.chance(0.15);
  const pad = kernel === 1 ? 0 : b.draw.int(0, 1);
  const after = kernel === 1 || isSame ? pad : b.draw.chance(0.2) ? 1 - pad : pad;
  const side = (dim: Dim): Dim =>
    isSame
      ? computed((n) => Math.ceil(n / stride), dim)
      : windowed(dim, kernel, stride, pad + after);
  const dims = [dimAt(x, 0), known(to), side(dimAt(x, 2)), side(dimAt(x, 3))];
  const padding = isSame ? { auto_pad: 'SAME_UPPER' } : { pads: [pad, pad, after, after] };
  return b.node(
    'Conv',
    [x, weight, shift],
    { ...like(x, 2 * x.most + 1), dims },
    {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      group,
      ...padding,
    },
  );
}

const convolution = fragment('Conv block', 8, (b, x) => {
  const channels = channelsOf(x, 3);
  if (channels === undefined || x.most > 1e3) return undefined;
  const isDepthwise = b.draw.chance(0.3);
  const group = isDepthwise ? channels : channels % 2 === 0 && b.draw.chance(0.2) ? 2 : 1;
  const to = isDepthwise ? channels * b.draw.pick([1, 1, 2]) : group * b.draw.int(1, 5);
  const out = conv(b, x, channels, {
    kernel: b.draw.pick([1, 3, 3, 2]),
    stride: b.draw.pick([1, 1, 2]),
    group,
    to,
  });
  if (!b.draw.chance(0.5)) return out;
  const vector = (low: number, high: number): Val => b.weight('float32', [to], { low, high });
  const parts = [vector(0.5, 2), vector(-1, 1), vector(-0.5, 0.5), vector(0.2, 2)];
  const normed = b.node('BatchNormalization', [out, ...parts], like(out, 5 * out.most));
  return b.draw.chance(0.7) ? unary(b, 'Relu', normed) : normed;
});

const residualBlock = fragment('residual block', 3, (b, x) => {
  const channels = channelsOf(x, 1);
  if (channels === undefined || channels > 16 || x.most > 100) return undefined;
  const weight = factor(b, 'float32', [channels, channels, 3, 3], channels * 9);
  const out = b.node('Conv', [x, weight], like(x, 2 * x.most), { pads: [1, 1, 1, 1] });
  const sum = binary(b, 'Add', out, x);
  return b.draw.chance(0.5) ? unary(b, 'Relu', sum) : sum;
});

const parallel = fragment('parallel Conv', 2, (b, x) => {
  const channels = channelsOf(x, 1);
  if (channels === undefined || channels > 16 || x.most > 100) return undefined;
  const group = channels % 2 === 0 ? b.draw.pick([1, 2]) : 1;
  const [kernel, pad] = b.draw.pick([
    [1, 0],
    [3, 1],
  ] as [readonly [number, number], ...(readonly [number, number])[]]);
  const one = (to: number): Val => {
    const sizes = [to, channels / group, kernel, kernel];
    const weight = factor(b, 'float32', sizes, (channels / group) * kernel * kernel);
    const shift = b.draw.chance(0.5) ? b.weight('float32', [to]) : undefined;
    const dims = [dimAt(x, 0), known(to), dimAt(x, 2), dimAt(x, 3)];
    const attributes = { group, pads: [pad, pad, pad, pad] };
    return b.node('Conv', [x, weight, shift], { ...like(x, 2 * x.most + 2), dims }, attributes);
  };
  const branches = [one(group * b.draw.int(1, 3)), unary(b, 'Relu', one(group * b.draw.int(1, 3)))];
  return b.draw.chance(0.7) ? concat(b, branches, 1) : branches;
});

const pool = fragment('pool', 4, (b, x) => {
  if (channelsOf(x, 3) === undefined) return undefined;
  const kernel = b.draw.int(2, 3);
  const stride = b.draw.int(1, 2);
  const pad = b.draw.int(0, 1);
  const dims = [
    ...x.dims.slice(0, 2),
    ...x.dims.slice(2).map((dim) => windowed(dim, kernel, stride, 2 * pad)),
  ];
  const isMax = b.draw.chance(0.5);
  const extra = isMax ? {} : { count_include_pad: b.draw.int(0, 1) };
  return b.node(
    isMax ? 'MaxPool' : 'AveragePool',
    [x],
    { ...like(x), dims },
    {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad],
      ...extra,
    },
  );
});

const head = fragment('classifier', 3, (b, x) => {
  const channels = channelsOf(x, 1);
  const [batch] = x.dims;
  if (channels === undefined || batch === undefined) return undefined;
  const mean = b.node(b.draw.pick(['GlobalAveragePool', 'GlobalMaxPool']), [x], {
    ...like(x),
    dims: [batch, known(channels), known(1), known(1)],
  });
  const flat = b.draw.chance(0.5)
    ? b.node('Flatten', [mean], { ...like(x), dims: [batch, known(channels)] }, { axis: 1 })
    : reshape(b, mean, [-1, channels], [batch, known(channels)]);
  const weight = factor(b, 'float32', [5, channels], channels);
  return b.node(
    'Gemm',
    [flat, weight, b.weight('float32', [5])],
    { ...like(x, 2 * x.most), dims: [batch, known(5)] },
    { transB: 1 },
  );
});

const dense = fragment('dense block', 2, (b, x) => {
  const channels = channelsOf(x, 1);
  if (channels === undefined || channels > 20 || x.most > 100) return undefined;
  const fresh = unary(
    b,
    'Relu',
    b.node(
      'Conv',
      [x, factor(b, 'float32', [3, channels, 3, 3], 9 * channels)],
      { ...like(x, 2 * x.most), dims: [dimAt(x, 0), known(3), dimAt(x, 2), dimAt(x, 3)] },
      { pads: [1, 1, 1, 1] },
    ),
  );
  return concat(b, [x, fresh], 1);
});

const upsampled = fragment('Resize', 3, (b, x) => {
  if (
    channelsOf(x, 1) === undefined ||
    b.opset < 11 ||
    x.dims.slice(2).some(({ sizes }) => Math.max(...sizes) > 12)
  )
    return undefined;
  const mode = b.draw.pick(['nearest', 'linear']);
  const scales = floats(b, [1, 1, 2, 2], 'float32');
  const dims = [
    ...x.dims.slice(0, 2),
    ...x.dims.slice(2).map((dim) => computed((n) => 2 * n, dim)),
  ];
  const how =
    mode === 'nearest'
      ? { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' }
      : {
          coordinate_transformation_mode: b.draw.pick([
            'half_pixel',
            'align_corners',
            'pytorch_half_pixel',
          ]),
        };
  const roi = b.opset < 13 ? floats(b, [], 'float32') : undefined;
  return b.node('Resize', [x, roi, scales], { ...like(x), dims }, { mode, ...how });
});

const transposed = fragment('ConvTranspose', 2, (b, x) => {
  const channels = channelsOf(x, 1);
  if (
    channels === undefined ||
    channels > 16 ||
    x.dims.slice(2).some(({ sizes }) => Math.max(...sizes) > 12)
  )
    return undefined;
  const weight = factor(b, 'float32', [channels, 3, 2, 2], channels);
  const dims = [
    dimAt(x, 0),
    known(3),
    ...x.dims.slice(2).map((dim) => computed((n) => 2 * n, dim)),
  ];
  return b.node(
    'ConvTranspose',
    [x, weight],
    { ...like(x, 2 * x.most), dims },
    { strides: [2, 2] },
  );
});

/** ShuffleNet's permutation of channels. */
const shuffle = fragment('channel shuffle', 2, (b, x) => {
  const channels = channelsOf(x, 1);
  const [batch, , rows, columns] = x.dims;
  if (
    channels === undefined ||
    channels % 2 !== 0 ||
    batch === undefined ||
    rows === undefined ||
    columns === undefined
  )
    return undefined;
  if (rows.isOpen || columns.isOpen) return undefined;
  const [h, w] = [rows.sizes[0], columns.sizes[0]];
  const grouped = reshape(
    b,
    x,
    [-1, 2, channels / 2, h, w],
    [batch, known(2), known(channels / 2), rows, columns],
  );
  const turned = transpose(b, grouped, [0, 2, 1, 3, 4]);
  return reshape(b, turned, [-1, channels, h, w], [batch, known(channels), rows, columns]);
});

const toSpace = fragment('DepthToSpace', 1, (b, x) => {
  const channels = channelsOf(x, 1);
  if (channels === undefined || channels % 4 !== 0 || b.opset < 11) return undefined;
  const dims = [
    dimAt(x, 0),
    known(channels / 4),
    ...x.dims.slice(2).map((dim) => computed((n) => 2 * n, dim)),
  ];
  return b.node(
    'DepthToSpace',
    [x],
    { ...like(x), dims },
    { blocksize: 2, mode: b.draw.pick(['DCR', 'CRD']) },
  );
});

const toSequence = fragment('image to tokens', 3, (b, x) => {
  const channels = channelsOf(x, 1);
  const [batch, , rows, columns] = x.dims;
  if (channels === undefined || batch === undefined || rows === undefined || columns === undefined)
    return undefined;
  const all = computed((h, w) => h * w, rows, columns);
  return transpose(b, reshape(b, x, [0, channels, -1], [batch, known(channels), all]), [0, 2, 1]);
});

const signal = fragment('Conv of one axis', 2, (b, x) => {
  const channels = sizeOf(x.dims[1]);
  if (
    x.dtype !== 'float32' ||
    x.dims.length !== 3 ||
    channels === undefined ||
    channels > 32 ||
    Math.min(...dimAt(x, 2).sizes) < 3 ||
    x.most > 100
  )
    return undefined;
  const weight = factor(b, 'float32', [4, channels, 3], 3 * channels);
  const dims = [dimAt(x, 0), known(4), windowed(dimAt(x, 2), 3, 1, 2)];
  return b.node('Conv', [x, weight], { ...like(x, 2 * x.most), dims }, { pads: [1, 1] });
});

/** An image of bytes, as detectors read it. */
const imageOfBytes = fragment('image of bytes', 4, (b, x) => {
  if (x.dtype !== 'uint8') return undefined;
  const scaled = binary(b, 'Div', cast(b, x, 'float32'), {
    ...b.scalar(255, 'float32'),
    most: 255,
  });
  const channels = sizeOf(x.dims[1]);
  if (channels === undefined || x.dims.length !== 4) return { ...scaled, most: 1 };
  const centred = binary(
    b,
    'Sub',
    { ...scaled, most: 1 },
    b.weight('float32', [1, channels, 1, 1], { low: 0.3, high: 0.6 }),
  );
  return binary(b, 'Mul', centred, b.weight('float32', [1, channels, 1, 1], { low: 3, high: 5 }));
});

export const convolutionFragments: ReadonlyArray<Fragment> = [
  convolution,
  residualBlock,
  parallel,
  pool,
  head,
  dense,
  upsampled,
  transposed,
  shuffle,
  toSpace,
  toSequence,
  signal,
  imageOfBytes,
];
