/**
 * Operators of onnxruntime's decoders and encoders: files whose batch, tokens and caches are named sizes
 * import, keep their nodes, and compute what onnxruntime computes at several sizes.
 */
import { mulberry32, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import {
  allClose,
  type DType,
  describeTensor,
  shapeSize,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { describe, expect, test } from 'vitest';
import { type Attribute, modelBytes } from '../../packages/onnx/test/helpers/encode.ts';
import { runElsewhere } from './oracle.ts';

type Dims = ReadonlyArray<number | string>;

/** A node, of `com.microsoft` by default. An input is its sizes, or values of the sizes of a run. */
interface Case {
  readonly op: string;
  readonly domain?: string;
  readonly attrs: Readonly<Record<string, number | string | ReadonlyArray<number>>>;
  /** The operator set of ONNX: 21 by default. */
  readonly opset?: number;
  readonly inputs: ReadonlyArray<Input | undefined>;
  readonly outputs?: ReadonlyArray<Dims>;
  /** The types of the outputs: float32 by default. */
  readonly types?: ReadonlyArray<DType>;
  /** The lengths of sequences: past them a cache has any values. */
  readonly lengths?: Lengths;
  /** The largest difference, of 1e-5 by default. */
  readonly atol?: number;
  /** The named sizes of each run. */
  readonly runs: ReadonlyArray<Sizes>;
}

type Sizes = Readonly<Record<string, number>>;

interface Input {
  readonly dims: Dims;
  readonly dtype?: DType;
  readonly values?: (sizes: Sizes) => ReadonlyArray<number>;
  /** Whether the file has the values. */
  readonly isConstant?: boolean;
}

const [HEADS, SHARED, SIZE] = [4, 2, 32];
const floats = (...dims: Dims): Input => ({ dims });

type Lengths = (sizes: Sizes) => ReadonlyArray<number>;

/** The number of tokens of each sequence, less one, and the largest. */
const totals = (lengths: Lengths): ReadonlyArray<Input> => [
  { dims: ['batch'], dtype: 'int32', values: (sizes) => lengths(sizes).map((n) => n - 1) },
  { dims: [], dtype: 'int32', values: ({ past = 0, tokens = 0 }) => [past + tokens] },
];

const even: Lengths = ({ batch = 1, past = 0, tokens = 0 }) =>
  Array.from({ length: batch }, () => past + tokens);
/** Sequences of different lengths: the cache of later ones is not full. */
const ragged: Lengths = ({ batch = 1, past = 0, tokens = 0 }) =>
  Array.from({ length: batch }, (_, i) => Math.max(past + tokens - i, tokens));

const cache = floats('batch', SHARED, 'past', SIZE);
const [q, kv] = [floats('batch', 'tokens', HEADS * SIZE), floats('batch', 'tokens', SHARED * SIZE)];
const angles = floats(32, SIZE / 2);
const present: Dims = ['batch', SHARED, 'total', SIZE];
const result: Dims = ['batch', 'tokens', HEADS * SIZE];

const RUNS: ReadonlyArray<Sizes> = [
  { batch: 1, tokens: 5, past: 0 },
  { batch: 1, tokens: 1, past: 6 },
  { batch: 2, tokens: 1, past: 4 },
  { batch: 3, tokens: 4, past: 0 },
];

const grouped = { num_heads: HEADS, kv_num_heads: SHARED };
const decoder = (
  attrs: Case['attrs'],
  more: ReadonlyArray<Input | undefined> = [],
  lengths = even,
): Case => ({
  op: 'GroupQueryAttention',
  attrs: { ...grouped, ...attrs },
  inputs: [q, kv, kv, cache, cache, ...totals(lengths), ...more],
  outputs: [result, present, present],
  runs: RUNS,
});

/** The number of keys that are kept of each sequence. */
const lengthsInput: Input = {
  dims: ['batch'],
  dtype: 'int32',
  values: ({ batch = 1, tokens = 1 }) =>
    Array.from({ length: batch }, (_, i) => Math.max(1, tokens - i)),
};

const CASES: Record<string, Case> = {
  GroupQueryAttention: decoder({}),
  'GroupQueryAttention with angles': decoder({ do_rotary: 1 }, [angles, angles]),
  'GroupQueryAttention with neighbours turned': decoder({ do_rotary: 1, rotary_interleaved: 1 }, [
    angles,
    angles,
  ]),
  'GroupQueryAttention with some features turned': decoder({ do_rotary: 1 }, [
    floats(32, SIZE / 4),
    floats(32, SIZE / 4),
  ]),
  'GroupQueryAttention in a window, scaled and capped': decoder({
    local_window_size: 3,
    scale: 0.3,
    softcap: 2,
  }),
  'GroupQueryAttention of sequences of different lengths': {
    ...decoder({}, [], ragged),
    lengths: ragged,
  },
  'GroupQueryAttention with a sink': decoder({ smooth_softmax: 1 }),
  'GroupQueryAttention with one input': {
    ...decoder({}),
    inputs: [
      floats('batch', 'tokens', (HEADS + 2 * SHARED) * SIZE),
      undefined,
      undefined,
      cache,
      cache,
      ...totals(even),
    ],
  },
  MultiHeadAttention: {
    op: 'MultiHeadAttention',
    attrs: { num_heads: HEADS },
    inputs: [q, floats('batch', 'keys', HEADS * SIZE), floats('batch', 'keys', HEADS * SIZE)],
    outputs: [result],
    runs: [
      { batch: 1, tokens: 3, keys: 5 },
      { batch: 2, tokens: 4, keys: 1 },
    ],
  },
  'MultiHeadAttention with a bias, a mask and a cache': {
    op: 'MultiHeadAttention',
    attrs: { num_heads: HEADS, unidirectional: 1, scale: 0.4 },
    inputs: [
      q,
      q,
      q,
      floats(3 * HEADS * SIZE),
      undefined,
      floats(1, 1, 'tokens', 'total'),
      floats('batch', HEADS, 'past', SIZE),
      floats('batch', HEADS, 'past', SIZE),
    ],
    outputs: [result, ['batch', HEADS, 'total', SIZE], ['batch', HEADS, 'total', SIZE]],
    runs: RUNS.map((sizes) => ({ ...sizes, total: (sizes.past ?? 0) + (sizes.tokens ?? 0) })),
  },
  Attention: {
    op: 'Attention',
    attrs: { num_heads: HEADS, unidirectional: 1 },
    inputs: [q, floats(HEADS * SIZE, 3 * HEADS * SIZE), floats(3 * HEADS * SIZE), lengthsInput],
    outputs: [result],
    runs: [
      { batch: 1, tokens: 3 },
      { batch: 3, tokens: 4 },
    ],
  },
  QAttention: {
    op: 'QAttention',
    attrs: { num_heads: HEADS, unidirectional: 1 },
    inputs: [
      { dims: ['batch', 'tokens', 16], dtype: 'uint8' },
      { dims: [16, 3 * HEADS * SIZE], dtype: 'uint8' },
      floats(3 * HEADS * SIZE),
      { dims: [], values: () => [0.02] },
      { dims: [], values: () => [0.03] },
      lengthsInput,
      { dims: [], dtype: 'uint8', values: () => [3] },
      { dims: [], dtype: 'uint8', values: () => [4] },
    ],
    outputs: [result],
    runs: [
      { batch: 1, tokens: 3 },
      { batch: 3, tokens: 4 },
    ],
  },
  ...transforms(),
  ...resizes(),
  ...wraps(),
  ...transposedConvolutions(),
  ...maximaWithPlaces(),
  ...others(),
  STFT: {
    op: 'STFT',
    domain: '',
    attrs: { onesided: 1 },
    inputs: [
      floats('batch', 'samples', 1),
      { dims: [], dtype: 'int64', values: () => [3], isConstant: true },
      { dims: [8], values: () => [1, 2, 3, 4, 4, 3, 2, 1], isConstant: true },
    ],
    outputs: [['batch', 'frames', 5, 2]],
    runs: [
      { batch: 1, samples: 8 },
      { batch: 2, samples: 31 },
    ],
  },
  RotaryEmbedding: {
    op: 'RotaryEmbedding',
    attrs: {},
    inputs: [q, { dims: ['batch', 'tokens'], dtype: 'int64' }, angles, angles],
    outputs: [result],
    runs: [
      { batch: 1, tokens: 3 },
      { batch: 2, tokens: 1 },
    ],
  },
  'RotaryEmbedding from a position on': {
    op: 'RotaryEmbedding',
    attrs: { interleaved: 1 },
    inputs: [
      floats('batch', HEADS, 'tokens', SIZE),
      { dims: [1], dtype: 'int64', values: () => [7] },
      angles,
      angles,
    ],
    outputs: [['batch', HEADS, 'tokens', SIZE]],
    runs: [
      { batch: 1, tokens: 3 },
      { batch: 2, tokens: 1 },
    ],
  },
};

/** Transforms of signals whose length only the run knows. */
function transforms(): Record<string, Case> {
  const whole = (...values: ReadonlyArray<number>): Input => ({
    dims: [],
    dtype: 'int64',
    values: () => values,
    isConstant: true,
  });
  const runs = [
    { batch: 1, samples: 8 },
    { batch: 2, samples: 31 },
    { batch: 3, samples: 1 },
  ];
  const bins: Dims = ['batch', 'bins', 2];
  const some = runs.slice(0, 2);
  const of = (attrs: Case['attrs'], inputs: Case['inputs'], given: Partial<Case> = {}): Case => ({
    op: 'DFT',
    domain: '',
    attrs,
    inputs,
    outputs: [bins],
    runs,
    // onnxruntime computes lengths that are no powers of two in float32 by way of one that is.
    atol: 5e-5,
    ...given,
  });
  const [real, complex] = [floats('batch', 'samples', 1), floats('batch', 'samples', 2)];
  const length: Input = { dims: [], dtype: 'int64', values: ({ samples = 1 }) => [samples + 3] };
  return {
    DFT: of({}, [real]),
    'DFT of complex numbers, inverse': of({ inverse: 1 }, [complex]),
    'DFT of half of the frequencies': of({ onesided: 1 }, [real]),
    'DFT to a length that is known': of({}, [complex, whole(12)]),
    'DFT to a length of the run': of({}, [complex, length]),
    'DFT along another axis': of({}, [floats('samples', 'batch', 1), undefined, whole(0)], {
      outputs: [['bins', 'batch', 2]],
    }),
    'DFT whose axis is an attribute': of({ onesided: 1, axis: 1 }, [real], {
      opset: 17,
      runs: some,
    }),
  };
}

/** Images of open sizes, resized with a kernel as wide as the steps. */
function resizes(): Record<string, Case> {
  const image = floats('batch', 2, 'height', 'width');
  const runs = [
    { batch: 1, height: 9, width: 12 },
    { batch: 2, height: 20, width: 5 },
    { batch: 1, height: 7, width: 7 },
  ];
  const scales = { dims: [4], values: () => [1, 1, 0.4, 0.7], isConstant: true };
  const sizes: Input = {
    dims: [4],
    dtype: 'int64',
    values: ({ batch = 1, height = 1, width = 1 }) => [batch, 2, Math.ceil(height / 3), width - 2],
  };
  const of = (attrs: Case['attrs'], ...inputs: Case['inputs']): Case => ({
    op: 'Resize',
    domain: '',
    attrs: { antialias: 1, ...attrs },
    inputs: [image, undefined, ...inputs],
    outputs: [['n', 'c', 'h', 'w']],
    runs,
  });
  return {
    'Resize with antialias': of({ mode: 'linear' }, scales),
    'Resize with antialias, cubic': of({ mode: 'cubic' }, scales),
    'Resize with antialias to sizes': of({ mode: 'linear', exclude_outside: 1 }, undefined, sizes),
    'Resize with antialias to sizes, cubic': of(
      { mode: 'cubic', exclude_outside: 1 },
      undefined,
      sizes,
    ),
  };
}

/** Padding from the other end of axes of open sizes. */
function wraps(): Record<string, Case> {
  const widths = (isConstant: boolean): Input => ({
    dims: [4],
    dtype: 'int64',
    values: () => [1, 0, 0, 2],
    isConstant,
  });
  const axes: Input = { dims: [1], dtype: 'int64', values: () => [-1], isConstant: true };
  const of = (...inputs: Case['inputs']): Case => ({
    op: 'Pad',
    domain: '',
    attrs: { mode: 'wrap' },
    inputs: [floats('rows', 'columns'), ...inputs],
    outputs: [['r', 'c']],
    runs: [
      { rows: 1, columns: 5 },
      { rows: 3, columns: 2 },
      { rows: 4, columns: 4 },
    ],
  });
  return {
    'Pad in mode wrap': of(widths(true)),
    'Pad in mode wrap by widths of the run': of(widths(false)),
    'Pad in mode wrap of some axes': of(
      { dims: [2], dtype: 'int64', values: () => [2, 1] },
      undefined,
      axes,
    ),
  };
}

/** Transposed convolutions to a stated size, whatever the size of the data. */
function transposedConvolutions(): Record<string, Case> {
  const of = (attrs: Case['attrs']): Case => ({
    op: 'ConvTranspose',
    domain: '',
    attrs: { output_shape: [11, 8], strides: [2, 2], ...attrs },
    inputs: [floats('batch', 3, 'height', 'width'), floats(3, 2, 3, 3), floats(2)],
    outputs: [['batch', 2, 11, 8]],
    runs: [
      { batch: 1, height: 5, width: 4 },
      { batch: 2, height: 6, width: 4 },
      { batch: 1, height: 5, width: 5 },
    ],
  });
  return {
    'ConvTranspose to a size': of({}),
    'ConvTranspose to a size, with more cut at the end': of({ auto_pad: 'SAME_UPPER' }),
    'ConvTranspose to a size, with more cut in front': of({ auto_pad: 'SAME_LOWER' }),
    'ConvTranspose to a size, dilated': of({ dilations: [1, 2] }),
  };
}

/** Pools that say where their maxima are. */
function maximaWithPlaces(): Record<string, Case> {
  const of = (attrs: Case['attrs']): Case => ({
    op: 'MaxPool',
    domain: '',
    attrs: { kernel_shape: [3, 2], ...attrs },
    inputs: [floats('batch', 2, 'height', 'width')],
    outputs: [
      ['n', 'c', 'h', 'w'],
      ['n', 'c', 'h', 'w'],
    ],
    types: ['float32', 'int64'],
    runs: [
      { batch: 1, height: 9, width: 12 },
      { batch: 2, height: 7, width: 5 },
      { batch: 3, height: 6, width: 6 },
    ],
  });
  return {
    'MaxPool with places': of({ strides: [2, 2] }),
    'MaxPool with places, padded': of({ pads: [1, 1, 1, 0], strides: [2, 1] }),
    'MaxPool with places, dilated': of({ dilations: [2, 2], pads: [1, 0, 1, 1] }),
    'MaxPool with places by columns': of({ storage_order: 1 }),
    'MaxPool with places, padded by the run': of({ auto_pad: 'SAME_LOWER', strides: [2, 2] }),
  };
}

/** Other operators that need no known size. */
function others(): Record<string, Case> {
  const runs = [
    { rows: 1, columns: 4 },
    { rows: 3, columns: 2 },
    { rows: 5, columns: 5 },
  ];
  const of = (op: string, attrs: Case['attrs'] = {}, given: Partial<Case> = {}): Case => ({
    op,
    domain: '',
    attrs,
    inputs: [floats('rows', 'columns')],
    outputs: [['rows', 'columns']],
    runs,
    ...given,
  });
  const integers = (...values: ReadonlyArray<number>): Input => ({
    dims: [values.length],
    dtype: 'int64',
    values: () => values,
    isConstant: true,
  });
  const parts = integers(2, 1);
  return {
    EyeLike: of('EyeLike', { k: 1 }),
    Hardmax: of('Hardmax'),
    'Hardmax along another axis': of('Hardmax', { axis: 0 }),
    'Split of an axis without a name': of(
      'Split',
      {},
      {
        inputs: [floats('', 4), parts],
        outputs: [
          [2, 4],
          [1, 4],
        ],
        runs: [{ '': 3 }],
      },
    ),
    CenterCropPad: of(
      'CenterCropPad',
      {},
      { inputs: [floats('rows', 'columns'), integers(3, 4)], outputs: [[3, 4]] },
    ),
    'CenterCropPad of an axis': of(
      'CenterCropPad',
      { axes: [-1] },
      { inputs: [floats('rows', 'columns'), integers(3)], outputs: [['rows', 3]] },
    ),
    Col2Im: of(
      'Col2Im',
      { strides: [1, 2], pads: [0, 1, 0, 1] },
      {
        inputs: [floats('rows', 'columns', 9), integers(4, 5), integers(2, 2)],
        outputs: [['rows', 'c', 4, 5]],
        runs: [
          { rows: 1, columns: 4 },
          { rows: 3, columns: 8 },
        ],
      },
    ),
    MaxUnpool: of(
      'MaxUnpool',
      { kernel_shape: [2, 2], strides: [2, 2] },
      {
        inputs: [
          floats(1, 1, 'rows', 'columns'),
          {
            dims: [1, 1, 'rows', 'columns'],
            dtype: 'int64',
            values: ({ rows = 1, columns = 1 }) =>
              Array.from({ length: rows * columns }, (_, i) => 4 * i + (i % 3)),
          },
        ],
        outputs: [[1, 1, 'h', 'w']],
      },
    ),
    Compress: of(
      'Compress',
      { axis: 1 },
      {
        inputs: [floats('rows', 'columns'), { dims: [2], dtype: 'bool', values: () => [0, 1] }],
        outputs: [['rows', 'some']],
      },
    ),
    OneHot: of(
      'OneHot',
      {},
      {
        inputs: [
          { dims: ['rows', 'columns'], dtype: 'int64' },
          integers(8),
          { dims: [2], values: () => [0.5, 2], isConstant: true },
        ],
        outputs: [['rows', 'columns', 8]],
      },
    ),
    NegativeLogLikelihoodLoss: of(
      'NegativeLogLikelihoodLoss',
      {},
      {
        inputs: [
          floats('rows', 'columns'),
          { dims: ['rows'], dtype: 'int64', values: ({ rows = 1 }) => Array(rows).fill(1) },
        ],
        outputs: [[]],
      },
    ),
    'RoiAlign of samples': of(
      'RoiAlign',
      { output_height: 2, output_width: 3, sampling_ratio: 2, mode: 'avg' },
      {
        inputs: [
          floats(1, 2, 'rows', 'columns'),
          { dims: [2, 4], values: () => [0, 0, 1.5, 2, 0.5, 0, 3, 1] },
          { dims: [2], dtype: 'int64', values: () => [0, 0] },
        ],
        outputs: [[2, 2, 2, 3]],
      },
    ),
    RMSNormalization: of(
      'RMSNormalization',
      {},
      { opset: 23, inputs: [floats('rows', 'columns'), floats('columns')] },
    ),
  };
}

/** Weights of a few bits, in blocks of 16 along rows of 40. */
for (const bits of [2, 4, 8]) {
  const weight = { dims: [6, 3, 2 * bits], dtype: 'uint8' } as const;
  const runs = [{ tokens: 1 }, { tokens: 3 }];
  for (const hasZeros of [false, true]) {
    CASES[`MatMulNBits of ${bits} bits, ${hasZeros ? 'with' : 'without'} zero points`] = {
      op: 'MatMulNBits',
      attrs: { K: 40, N: 6, bits, block_size: 16 },
      inputs: [
        floats('tokens', 40),
        weight,
        floats(6, 3),
        hasZeros ? { dims: [6, Math.ceil((3 * bits) / 8)], dtype: 'uint8' } : undefined,
      ],
      outputs: [['tokens', 6]],
      runs,
    };
  }
}

for (const bits of [4, 8]) {
  CASES[`GatherBlockQuantized of ${bits} bits`] = {
    op: 'GatherBlockQuantized',
    attrs: { bits, block_size: 16, quantize_axis: 1, gather_axis: 0 },
    inputs: [
      { dims: [9, 4 * bits], dtype: 'uint8' },
      { dims: ['batch', 'tokens'], dtype: 'int64' },
      { dims: [9, 2] },
      { dims: [9, bits / 4], dtype: 'uint8' },
    ],
    outputs: [['batch', 'tokens', 32]],
    runs: [
      { batch: 1, tokens: 3 },
      { batch: 2, tokens: 1 },
    ],
  };
}

const NUMBERS: Readonly<Record<string, number>> = {
  float32: 1,
  uint8: 2,
  int32: 6,
  int64: 7,
  bool: 9,
};

function fileOf({
  op,
  domain = 'com.microsoft',
  opset = 21,
  attrs,
  inputs,
  outputs = [],
  types = [],
}: Case): Uint8Array {
  const attribute = (value: Case['attrs'][string]): Attribute =>
    typeof value === 'string'
      ? { s: value }
      : typeof value !== 'number'
        ? { ints: value }
        : Number.isInteger(value)
          ? { i: value }
          : { f: value };
  const FLOATS = new Set(['scale', 'softcap', 'epsilon']);
  const given = Object.entries(attrs).map(([name, value]) => [
    name,
    FLOATS.has(name) ? { f: Number(value) } : attribute(value),
  ]);
  return Uint8Array.from(
    modelBytes(
      {
        nodes: [
          {
            op,
            domain,
            in: inputs.map((input, i) => (input === undefined ? '' : `x${i}`)),
            out: outputs.map((_, i) => `y${i}`),
            attrs: Object.fromEntries(given),
          },
        ],
        inputs: inputs.flatMap((input, i) =>
          input === undefined || input.isConstant
            ? []
            : [{ name: `x${i}`, dims: input.dims, type: NUMBERS[input.dtype ?? 'float32'] ?? 1 }],
        ),
        initializers: inputs.flatMap((input, i) => {
          if (!input?.isConstant) return [];
          const dims = input.dims.map(Number);
          const values = input.values?.({}) ?? [];
          const isFloat = input.dtype === undefined;
          return [{ name: `x${i}`, dims, ...(isFloat ? { floats: values } : { ints: values }) }];
        }),
        outputs: outputs.map((dims, i) => ({
          name: `y${i}`,
          dims,
          type: NUMBERS[types[i] ?? 'float32'] ?? 1,
        })),
      },
      opset,
    ),
  );
}

/** The tensor of an input in a run. */
function drawn(
  { dims, dtype = 'float32', values }: Input,
  sizes: Sizes,
  random: () => number,
): Tensor {
  const shape = dims.map((dim) => (typeof dim === 'number' ? dim : (sizes[dim] ?? 0)));
  const number = (): number => (dtype === 'float32' ? 2 * random() - 1 : Math.floor(8 * random()));
  const elements = values?.(sizes) ?? Array.from({ length: shapeSize(shape) }, number);
  return tensor(elements, shape, dtype);
}

describe('a node of onnxruntime with named sizes', () => {
  test.each(Object.entries(CASES))('%s', async (_, c) => {
    const bytes = fileOf(c);
    const module = orThrow(importOnnx(bytes, { ops: standardOps }));
    const file = orThrow(exportOnnx(module));
    const nodes = orThrow(decodeModel(file)).graph?.nodes ?? [];
    expect(nodes.map(({ opType }) => opType)).toEqual([c.op]);
    const plain = orThrow(exportOnnx(module, { target: 'onnx' }));
    for (const [round, sizes] of c.runs.entries()) {
      const random = mulberry32(20_261_128 + round);
      const inputs = new Map(
        c.inputs.flatMap((input, i) =>
          input === undefined || input.isConstant
            ? []
            : [[`x${i}`, drawn(input, sizes, random)] as const],
        ),
      );
      const wanted = [...(await runElsewhere(bytes, { inputs })).values()];
      const found = leavesOf(orThrow(evaluate(module, [...inputs.values()])));
      const known = (value: Tensor): Tensor => upTo(c.lengths?.(sizes), value);
      const others = [file, plain].map(async (one) => [
        ...(await runElsewhere(one, { inputs })).values(),
      ]);
      for (const results of [found, ...(await Promise.all(others))]) {
        expect(differences(results.map(known), wanted.map(known), c.atol)).toEqual([]);
      }
    }
  });
});

/** A cache with zeros past the lengths of its sequences; other results as they are. */
function upTo(lengths: ReadonlyArray<number> | undefined, value: Tensor): Tensor {
  const [, heads = 1, room = 1, size = 1] = value.shape;
  if (lengths === undefined || value.shape.length < 4) return value;
  const kept = Array.from(toNumbers(value), (element, i) => {
    const place = Math.floor(i / size) % room;
    return place < (lengths[Math.floor(i / (size * room * heads))] ?? 0) ? Number(element) : 0;
  });
  return tensor(kept, value.shape, value.dtype);
}

const differences = (
  found: ReadonlyArray<Tensor>,
  wanted: ReadonlyArray<Tensor>,
  atol = 1e-5,
): ReadonlyArray<string> =>
  wanted.flatMap((expected, i) => {
    const value = found[i];
    const isSame = value !== undefined && allClose(value, expected, { atol, rtol: 1e-4 });
    return isSame ? [] : [`${value && describeTensor(value)}, not ${describeTensor(expected)}`];
  });
