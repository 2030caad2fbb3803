/** A small node of every operator. */
import type { OnnxImporter } from '../../src/operator-api/importer.ts';
import type { Attribute, GraphParts, TensorParts } from './encode.ts';

interface Sized {
  readonly dims: ReadonlyArray<number>;
  readonly type: number;
}

/** A sequence of floats of these sizes. */
interface Listed {
  readonly elements: ReadonlyArray<ReadonlyArray<number>>;
}

/** A node with its inputs, and the type of its first result. */
export interface Small {
  /** Floats by default; `undefined` is an input that is left out. */
  readonly inputs: ReadonlyArray<ReadonlyArray<number> | Sized | Listed | undefined>;
  /** Further inputs with known values. */
  readonly constants?: ReadonlyArray<TensorParts>;
  readonly attrs?: Readonly<Record<string, Attribute>>;
  readonly outputs?: number;
  readonly opset?: number;
  readonly result: string;
}

const int = (...dims: number[]): Sized => ({ dims, type: 7 });
const int32 = (...dims: number[]): Sized => ({ dims, type: 6 });
const bool = (...dims: number[]): Sized => ({ dims, type: 9 });
const ints = (...values: number[]): TensorParts => ({ dims: [values.length], ints: values });
const scalar = (value: number): TensorParts => ({ dims: [], floats: [value] });
const bytes = (...dims: number[]): Sized => ({ dims, type: 2 });
const FLOAT = 1;
const SEQUENCE: Listed = {
  elements: [
    [2, 3],
    [2, 5],
  ],
};
const place = (value: number): TensorParts => ({ dims: [], ints: [value] });
/** A scale and a zero point, for one of the inputs of a quantized operator. */
const QUANTIZED = [[], bytes()] as const;

const all = (names: string, small: Small): Readonly<Record<string, Small>> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, small]));

const image = [1, 4, 6, 6];
const window = { kernel_shape: { ints: [2, 2] } };

/** By the names of operators; those of other domains have the domain before it. */
export const catalogue: Readonly<Record<string, Small>> = {
  ...all(
    `Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid
     HardSwish Hardmax Identity LeakyRelu Log LogSoftmax LpNormalization Mish Neg Reciprocal Relu
     Round Selu Shrink Sigmoid Sign Sin Sinh Softmax Softplus Softsign Sqrt Tan Tanh
     ThresholdedRelu`,
    { inputs: [[2, 3]], result: 'float32(2, 3)' },
  ),
  ...all('Add Sub Mul Div Pow PRelu', { inputs: [[2, 3], [3]], result: 'float32(2, 3)' }),
  ...all('Max Min Mean Sum', { inputs: [[2, 3], [3], [2, 1]], result: 'float32(2, 3)' }),
  ...all('And Or Xor', { inputs: [bool(2, 3), bool(3)], result: 'bool(2, 3)' }),
  ...all('Equal Greater GreaterOrEqual Less LessOrEqual', {
    inputs: [[2, 3], [3]],
    result: 'bool(2, 3)',
  }),
  Attention: {
    inputs: [
      [2, 3, 8],
      [2, 5, 4],
      [2, 5, 4],
    ],
    attrs: { q_num_heads: { i: 4 }, kv_num_heads: { i: 2 }, is_causal: { i: 1 } },
    opset: 24,
    result: 'float32(2, 3, 8)',
  },
  RotaryEmbedding: {
    inputs: [[2, 3, 4, 6], [10, 3], [10, 3], int(2, 4)],
    opset: 23,
    result: 'float32(2, 3, 4, 6)',
  },
  BitShift: {
    inputs: [
      { dims: [2, 3], type: 12 },
      { dims: [3], type: 12 },
    ],
    attrs: { direction: { s: 'LEFT' } },
    result: 'uint32(2, 3)',
  },
  AffineGrid: {
    inputs: [[2, 2, 3]],
    constants: [ints(2, 1, 4, 5)],
    result: 'float32(2, 4, 5, 2)',
  },
  ...all('NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss', {
    inputs: [[2, 5], int(2), [5]],
    result: 'float32()',
  }),
  ...all('BitwiseAnd BitwiseOr BitwiseXor Mod', {
    inputs: [int(2, 3), int(3)],
    result: 'int64(2, 3)',
  }),
  BitwiseNot: { inputs: [int(2)], result: 'int64(2)' },
  Not: { inputs: [bool(2)], result: 'bool(2)' },
  ...all('IsInf IsNaN', { inputs: [[2]], result: 'bool(2)' }),
  ...all(
    `ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd
     ReduceSum ReduceSumSquare`,
    { inputs: [[2, 3]], constants: [ints(1)], attrs: { keepdims: { i: 0 } }, result: 'float32(2)' },
  ),
  ...all('ArgMax ArgMin', {
    inputs: [[2, 3]],
    attrs: { axis: { i: 1 }, keepdims: { i: 0 }, select_last_index: { i: 1 } },
    result: 'int64(2)',
  }),
  ...all('AveragePool LpPool MaxPool', {
    inputs: [image],
    attrs: window,
    result: 'float32(1, 4, 5, 5)',
  }),
  ...all('GlobalAveragePool GlobalMaxPool', { inputs: [image], result: 'float32(1, 4, 1, 1)' }),
  BatchNormalization: {
    inputs: [image, [4], [4], [4], [4]],
    result: 'float32(1, 4, 6, 6)',
  },
  Cast: { inputs: [[2]], attrs: { to: { i: 7 } }, result: 'int64(2)' },
  CastLike: { inputs: [[2], int(5)], result: 'int64(2)' },
  Clip: { inputs: [[2]], constants: [scalar(0), scalar(6)], result: 'float32(2)' },
  Compress: {
    inputs: [[3, 2]],
    constants: [{ dims: [3], type: 9, raw: [1, 0, 1] }],
    attrs: { axis: { i: 0 } },
    result: 'float32(2, 2)',
  },
  Concat: {
    inputs: [
      [2, 3],
      [4, 3],
    ],
    attrs: { axis: { i: 0 } },
    result: 'float32(6, 3)',
  },
  Constant: {
    inputs: [],
    attrs: { value_ints: { ints: [1, 2] } },
    result: 'int64(2)',
  },
  ConstantOfShape: { inputs: [], constants: [ints(2, 3)], result: 'float32(2, 3)' },
  Conv: { inputs: [image, [5, 4, 3, 3], [5]], result: 'float32(1, 5, 4, 4)' },
  ConvTranspose: { inputs: [image, [4, 5, 3, 3], [5]], result: 'float32(1, 5, 8, 8)' },
  ConvInteger: {
    inputs: [bytes(1, 4, 6, 6), bytes(5, 4, 3, 3), bytes(), bytes()],
    result: 'int32(1, 5, 4, 4)',
  },
  MatMulInteger: { inputs: [bytes(2, 3), bytes(3, 4), bytes(), bytes(4)], result: 'int32(2, 4)' },
  DynamicQuantizeLinear: { inputs: [[2, 3]], outputs: 3, result: 'uint8(2, 3)' },
  QLinearConv: {
    inputs: [bytes(1, 4, 6, 6), ...QUANTIZED, bytes(5, 4, 3, 3), ...QUANTIZED, ...QUANTIZED],
    result: 'uint8(1, 5, 4, 4)',
  },
  QLinearMatMul: {
    inputs: [bytes(2, 3), ...QUANTIZED, bytes(3, 4), ...QUANTIZED, ...QUANTIZED],
    result: 'uint8(2, 4)',
  },
  CumSum: {
    inputs: [[2, 3]],
    constants: [{ dims: [], ints: [1] }],
    attrs: { exclusive: { i: 1 }, reverse: { i: 1 } },
    result: 'float32(2, 3)',
  },
  DepthToSpace: {
    inputs: [image],
    attrs: { blocksize: { i: 2 } },
    result: 'float32(1, 1, 12, 12)',
  },
  SpaceToDepth: { inputs: [image], attrs: { blocksize: { i: 2 } }, result: 'float32(1, 16, 3, 3)' },
  DequantizeLinear: {
    inputs: [{ dims: [2, 3], type: 3 }],
    constants: [scalar(0.5)],
    result: 'float32(2, 3)',
  },
  QuantizeLinear: { inputs: [[2, 3]], constants: [scalar(0.5)], result: 'uint8(2, 3)' },
  Dropout: { inputs: [[2]], outputs: 2, result: 'float32(2)' },
  Einsum: {
    inputs: [
      [2, 3],
      [3, 4],
    ],
    attrs: { equation: { s: 'ij,jk->ik' } },
    result: 'float32(2, 4)',
  },
  Expand: { inputs: [[3]], constants: [ints(2, 1)], result: 'float32(2, 3)' },
  EyeLike: { inputs: [[2, 3]], attrs: { k: { i: 1 }, dtype: { i: 7 } }, result: 'int64(2, 3)' },
  Flatten: { inputs: [[2, 3, 4]], attrs: { axis: { i: 2 } }, result: 'float32(6, 4)' },
  Gather: { inputs: [[2, 3], int(4)], attrs: { axis: { i: 1 } }, result: 'float32(2, 4)' },
  GatherElements: {
    inputs: [[2, 3], int(2, 2)],
    attrs: { axis: { i: 1 } },
    result: 'float32(2, 2)',
  },
  GatherND: { inputs: [[4, 3], int(5, 1)], result: 'float32(5, 3)' },
  Gemm: {
    inputs: [
      [3, 2],
      [3, 4],
      [2, 4],
    ],
    attrs: { transA: { i: 1 }, alpha: { f: 2 }, beta: { f: 0.5 } },
    result: 'float32(2, 4)',
  },
  GRU: {
    inputs: [
      [5, 2, 3],
      [1, 12, 3],
      [1, 12, 4],
    ],
    attrs: { hidden_size: { i: 4 } },
    result: 'float32(5, 1, 2, 4)',
  },
  LSTM: {
    inputs: [[5, 2, 3], [2, 16, 3], [2, 16, 4], [2, 32], int32(2)],
    attrs: { hidden_size: { i: 4 }, direction: { s: 'bidirectional' }, clip: { f: 3 } },
    result: 'float32(5, 2, 2, 4)',
  },
  RNN: {
    inputs: [
      [5, 2, 3],
      [1, 4, 3],
      [1, 4, 4],
    ],
    attrs: { hidden_size: { i: 4 }, direction: { s: 'reverse' } },
    result: 'float32(5, 1, 2, 4)',
  },
  RoiAlign: {
    inputs: [[3, 4, 6, 6], [3, 4], int(3)],
    attrs: { output_height: { i: 2 }, output_width: { i: 3 }, sampling_ratio: { i: 2 } },
    result: 'float32(3, 4, 2, 3)',
  },
  SequenceConstruct: { inputs: [[2, 3], [4]], result: 'float32(2, 3)' },
  SequenceEmpty: { inputs: [], result: 'TupleType' },
  SequenceLength: { inputs: [SEQUENCE], result: 'int64()' },
  SequenceAt: { inputs: [SEQUENCE], constants: [place(-1)], result: 'float32(2, 5)' },
  SequenceInsert: { inputs: [SEQUENCE, [4]], constants: [place(0)], result: 'float32(4)' },
  SequenceErase: { inputs: [SEQUENCE], constants: [place(0)], result: 'float32(2, 5)' },
  ConcatFromSequence: { inputs: [SEQUENCE], attrs: { axis: { i: 1 } }, result: 'float32(2, 8)' },
  SplitToSequence: {
    inputs: [[4, 2]],
    constants: [{ dims: [], ints: [3] }],
    result: 'float32(3, 2)',
  },
  ...all('Optional OptionalGetElement', { inputs: [[2, 3]], opset: 18, result: 'float32(2, 3)' }),
  OptionalHasElement: { inputs: [[2, 3]], opset: 18, result: 'bool()' },
  GridSample: { inputs: [image, [1, 2, 3, 2]], result: 'float32(1, 4, 2, 3)' },
  GroupNormalization: {
    inputs: [image, [4], [4]],
    attrs: { num_groups: { i: 2 } },
    result: 'float32(1, 4, 6, 6)',
  },
  InstanceNormalization: { inputs: [image, [4], [4]], result: 'float32(1, 4, 6, 6)' },
  LayerNormalization: { inputs: [[2, 3], [3], [3]], result: 'float32(2, 3)' },
  RMSNormalization: { inputs: [[2, 3], [3]], opset: 23, result: 'float32(2, 3)' },
  LRN: { inputs: [image], attrs: { size: { i: 3 } }, result: 'float32(1, 4, 6, 6)' },
  MatMul: {
    inputs: [
      [5, 2, 3],
      [5, 3, 4],
    ],
    result: 'float32(5, 2, 4)',
  },
  MeanVarianceNormalization: { inputs: [image], result: 'float32(1, 4, 6, 6)' },
  NonZero: { inputs: [[2, 3]], result: 'int64(2, ?)' },
  OneHot: {
    inputs: [int(2)],
    constants: [ints(3), { dims: [2], floats: [0, 1] }],
    result: 'float32(2, 3)',
  },
  Pad: { inputs: [[2, 3]], constants: [ints(0, 1, 1, 0)], result: 'float32(3, 4)' },
  Range: {
    inputs: [],
    constants: [0, 3, 1].map((n) => ({ dims: [], ints: [n] })),
    result: 'int64(3)',
  },
  Reshape: { inputs: [[2, 3]], constants: [ints(3, -1)], result: 'float32(3, 2)' },
  Resize: {
    inputs: [image],
    constants: [
      { dims: [0], floats: [] },
      { dims: [4], floats: [1, 1, 2, 0.5] },
    ],
    result: 'float32(1, 4, 12, 3)',
  },
  Upsample: {
    inputs: [image],
    constants: [{ dims: [4], floats: [1, 1, 2, 3] }],
    opset: 9,
    result: 'float32(1, 4, 12, 18)',
  },
  ReverseSequence: { inputs: [[3, 2], int(2)], result: 'float32(3, 2)' },
  ScatterElements: { inputs: [[2, 3], int(1, 3), [1, 3]], result: 'float32(2, 3)' },
  ScatterND: { inputs: [[4, 3], int(1, 1), [1, 3]], result: 'float32(4, 3)' },
  Shape: { inputs: [[2, 3]], result: 'int64(2)' },
  Size: { inputs: [[2, 3]], result: 'int64()' },
  Slice: { inputs: [[5]], constants: [ints(1), ints(3)], result: 'float32(2)' },
  Split: { inputs: [[6]], attrs: { num_outputs: { i: 2 } }, outputs: 2, result: 'float32(3)' },
  Squeeze: { inputs: [[1, 2]], constants: [ints(0)], result: 'float32(2)' },
  Unsqueeze: { inputs: [[2]], constants: [ints(0)], result: 'float32(1, 2)' },
  Swish: { inputs: [[2]], attrs: { alpha: { f: 2 } }, opset: 24, result: 'float32(2)' },
  Tile: { inputs: [[2]], constants: [ints(3)], result: 'float32(6)' },
  TopK: { inputs: [[2, 5]], constants: [ints(3)], outputs: 2, result: 'float32(2, 3)' },
  Transpose: { inputs: [[2, 3]], result: 'float32(3, 2)' },
  Trilu: { inputs: [[2, 3]], constants: [{ dims: [], ints: [1] }], result: 'float32(2, 3)' },
  Where: { inputs: [bool(2, 1), [3], [2, 3]], result: 'float32(2, 3)' },
  CumProd: { inputs: [[2, 3]], constants: [ints(1)], opset: 26, result: 'float32(2, 3)' },
  BitCast: { inputs: [[2, 3]], attrs: { to: { i: 6 } }, opset: 26, result: 'int32(2, 3)' },
  SwiGLU: {
    inputs: [
      [2, 3],
      [2, 3],
    ],
    opset: 28,
    result: 'float32(2, 3)',
  },
  ...all('BlackmanWindow HammingWindow HannWindow', {
    inputs: [],
    constants: [{ dims: [], ints: [5] }],
    result: 'float32(5)',
  }),
  Scatter: { inputs: [[2, 3], int(1, 3), [1, 3]], opset: 10, result: 'float32(2, 3)' },
  CenterCropPad: { inputs: [[5, 3]], constants: [ints(2, 6)], result: 'float32(2, 6)' },
  TensorScatter: {
    inputs: [[2, 5, 3], [2, 2, 3], int(2)],
    attrs: { mode: { s: 'circular' } },
    opset: 24,
    result: 'float32(2, 5, 3)',
  },
  CausalConvWithState: {
    inputs: [[2, 4, 5], [4, 1, 3], [4], [2, 4, 2]],
    attrs: { activation: { s: 'silu' } },
    outputs: 2,
    opset: 27,
    result: 'float32(2, 4, 5)',
  },
  LinearAttention: {
    inputs: [
      [2, 3, 8],
      [2, 3, 4],
      [2, 3, 4],
      [2, 1, 4, 4],
      [2, 3, 1],
      [2, 3, 1],
    ],
    attrs: { q_num_heads: { i: 2 }, kv_num_heads: { i: 1 } },
    outputs: 2,
    opset: 27,
    result: 'float32(2, 3, 8)',
  },
  DFT: { inputs: [[2, 6, 1]], attrs: { onesided: { i: 1 } }, result: 'float32(2, 4, 2)' },
  STFT: {
    inputs: [[2, 16, 1]],
    constants: [
      { dims: [], ints: [4] },
      { dims: [8], floats: [1, 1, 1, 1, 1, 1, 1, 1] },
    ],
    result: 'float32(2, 3, 5, 2)',
  },
  MelWeightMatrix: {
    inputs: [],
    constants: [
      { dims: [], ints: [4] },
      { dims: [], ints: [16] },
      { dims: [], ints: [8192] },
      scalar(0),
      scalar(4096),
    ],
    result: 'float32(9, 4)',
  },
  NonMaxSuppression: {
    inputs: [
      [2, 6, 4],
      [2, 3, 6],
    ],
    constants: [ints(2), { dims: [1], floats: [0.3] }, { dims: [1], floats: [0.1] }],
    result: 'int64(?, 3)',
  },
  Unique: { inputs: [[2, 6]], outputs: 4, result: 'float32(?)' },
  TfIdfVectorizer: {
    inputs: [int(2, 6)],
    attrs: {
      mode: { s: 'TFIDF' },
      min_gram_length: { i: 1 },
      max_gram_length: { i: 2 },
      max_skip_count: { i: 1 },
      ngram_counts: { ints: [0, 2] },
      ngram_indexes: { ints: [2, 0, 1] },
      pool_int64s: { ints: [0, 1, 1, 1] },
      weights: { floats: [0.5, 2, 3] },
    },
    result: 'float32(2, 3)',
  },
  DeformConv: {
    inputs: [image, [3, 4, 2, 2], [1, 8, 5, 5]],
    opset: 19,
    result: 'float32(1, 3, 5, 5)',
  },
  MaxRoiPool: {
    inputs: [image, [3, 5]],
    attrs: { pooled_shape: { ints: [2, 3] } },
    result: 'float32(3, 4, 2, 3)',
  },
  ...all('RandomUniform RandomNormal', {
    inputs: [],
    attrs: { shape: { ints: [2, 3] }, seed: { f: 1 } },
    result: 'float32(2, 3)',
  }),
  ...all('RandomUniformLike RandomNormalLike Bernoulli', {
    inputs: [[2, 3]],
    attrs: { seed: { f: 1 }, dtype: { i: 11 } },
    opset: 15,
    result: 'float64(2, 3)',
  }),
  Multinomial: {
    inputs: [[2, 3]],
    attrs: { seed: { f: 1 }, sample_size: { i: 4 } },
    result: 'int32(2, 4)',
  },
  MaxUnpool: {
    inputs: [[1, 1, 2, 2], int(1, 1, 2, 2)],
    constants: [ints(1, 1, 5, 5)],
    attrs: { ...window, strides: { ints: [2, 2] } },
    result: 'float32(1, 1, 5, 5)',
  },
  GlobalLpPool: { inputs: [image], result: 'float32(1, 4, 1, 1)' },
  Col2Im: {
    inputs: [[1, 5, 5]],
    constants: [ints(5, 5), ints(1, 5)],
    result: 'float32(1, 1, 5, 5)',
  },
  // Of ONNX Runtime.
  ...all('com.microsoft.Gelu com.microsoft.FastGelu com.microsoft.QuickGelu', {
    inputs: [[2, 3]],
    result: 'float32(2, 3)',
  }),
  'com.microsoft.BiasGelu': { inputs: [[2, 3], [3]], result: 'float32(2, 3)' },
  'com.microsoft.FusedMatMul': {
    inputs: [
      [2, 4, 3],
      [2, 4, 5],
    ],
    attrs: { transA: { i: 1 }, alpha: { f: 0.5 } },
    result: 'float32(2, 3, 5)',
  },
  'com.microsoft.FusedGemm': {
    inputs: [[3, 4], [4, 5], [5]],
    attrs: { activation: { s: 'LeakyRelu' }, activation_alpha: { f: 0.5 } },
    result: 'float32(3, 5)',
  },
  'com.microsoft.FusedConv': {
    inputs: [image, [5, 4, 3, 3], [5], [1, 5, 4, 4]],
    attrs: { activation: { s: 'Relu' } },
    result: 'float32(1, 5, 4, 4)',
  },
  ...all('com.microsoft.QLinearAdd com.microsoft.QLinearMul', {
    inputs: [bytes(2, 3), ...QUANTIZED, bytes(3), ...QUANTIZED, ...QUANTIZED],
    result: 'uint8(2, 3)',
  }),
  ...all('com.microsoft.QLinearSigmoid com.microsoft.QLinearLeakyRelu', {
    inputs: [bytes(2, 3), ...QUANTIZED, ...QUANTIZED],
    result: 'uint8(2, 3)',
  }),
  'com.microsoft.QLinearSoftmax': {
    inputs: [bytes(2, 3), ...QUANTIZED, ...QUANTIZED],
    attrs: { opset: { i: 13 } },
    result: 'uint8(2, 3)',
  },
  'com.microsoft.QLinearWhere': {
    inputs: [bool(2, 3), bytes(2, 3), ...QUANTIZED, bytes(2, 3), ...QUANTIZED, ...QUANTIZED],
    result: 'uint8(2, 3)',
  },
  'com.microsoft.QLinearConcat': {
    inputs: [...QUANTIZED, bytes(2, 3), ...QUANTIZED, bytes(2, 1), ...QUANTIZED],
    attrs: { axis: { i: 1 } },
    result: 'uint8(2, 4)',
  },
  'com.microsoft.QLinearAveragePool': {
    inputs: [bytes(...image), ...QUANTIZED, ...QUANTIZED],
    attrs: window,
    result: 'uint8(1, 4, 5, 5)',
  },
  'com.microsoft.QLinearGlobalAveragePool': {
    inputs: [bytes(1, 6, 6, 4), ...QUANTIZED, ...QUANTIZED],
    attrs: { channels_last: { i: 1 } },
    result: 'uint8(1, 1, 1, 4)',
  },
  'com.microsoft.QuantizeLinear': { inputs: [[2, 3], ...QUANTIZED], result: 'uint8(2, 3)' },
  'com.microsoft.DequantizeLinear': {
    inputs: [bytes(2, 3), ...QUANTIZED],
    result: 'float32(2, 3)',
  },
  'com.microsoft.QGemm': {
    inputs: [
      bytes(2, 3),
      ...QUANTIZED,
      bytes(5, 3),
      ...QUANTIZED,
      { dims: [5], type: 6 },
      ...QUANTIZED,
    ],
    attrs: { transB: { i: 1 } },
    result: 'uint8(2, 5)',
  },
  'com.microsoft.MatMulIntegerToFloat': {
    inputs: [bytes(2, 3), bytes(3, 4), [], [4], bytes(), bytes(), [4]],
    result: 'float32(2, 4)',
  },
  'com.microsoft.MatMulNBits': {
    inputs: [[2, 40], bytes(3, 2, 16), [6]],
    attrs: { K: { i: 40 }, N: { i: 3 }, bits: { i: 4 }, block_size: { i: 32 } },
    result: 'float32(2, 3)',
  },
  'com.microsoft.DynamicQuantizeMatMul': {
    inputs: [[2, 3], bytes(3, 4), [], bytes(), [4]],
    result: 'float32(2, 4)',
  },
  'com.microsoft.DynamicQuantizeLSTM': {
    inputs: [
      [5, 2, 3],
      bytes(2, 3, 16),
      bytes(2, 4, 16),
      [2, 32],
      undefined,
      [2, 2, 4],
      [2, 2, 4],
      [2, 12],
      ...[[2], bytes(2), [2], bytes(2)],
    ],
    attrs: { hidden_size: { i: 4 }, direction: { s: 'bidirectional' } },
    outputs: 3,
    result: 'float32(5, 2, 2, 4)',
  },
  'com.microsoft.SkipLayerNormalization': {
    inputs: [[2, 3, 4], [2, 3, 4], [4], [4]],
    attrs: { epsilon: { f: 0.001 } },
    result: 'float32(2, 3, 4)',
  },
  'com.microsoft.SkipSimplifiedLayerNormalization': {
    inputs: [[2, 3, 4], [2, 3, 4], [4]],
    attrs: { epsilon: { f: 0.001 } },
    result: 'float32(2, 3, 4)',
  },
  'com.microsoft.EmbedLayerNormalization': {
    inputs: [int32(2, 3), int32(2, 3), [6, 4], [5, 4], [3, 4], [4], [4], int32(2, 3)],
    attrs: { epsilon: { f: 0.001 } },
    outputs: 2,
    result: 'float32(2, 3, 4)',
  },
  'com.microsoft.Attention': {
    inputs: [[2, 3, 4], [4, 12], [12], int32(2)],
    attrs: { num_heads: { i: 2 }, unidirectional: { i: 1 } },
    result: 'float32(2, 3, 4)',
  },
  'com.microsoft.MultiHeadAttention': {
    inputs: [[2, 3, 4], [2, 5, 4], [2, 5, 4], [12], int32(2)],
    attrs: { num_heads: { i: 2 } },
    result: 'float32(2, 3, 4)',
  },
  'com.microsoft.GroupQueryAttention': {
    inputs: [
      [2, 1, 32],
      [2, 1, 16],
      [2, 1, 16],
      [2, 1, 3, 16],
      [2, 1, 3, 16],
    ],
    constants: [
      { dims: [2], type: 6, raw: new Uint8Array(new Int32Array([3, 3]).buffer) },
      { dims: [], type: 6, raw: new Uint8Array(new Int32Array([4]).buffer) },
    ],
    attrs: { num_heads: { i: 2 }, kv_num_heads: { i: 1 } },
    outputs: 3,
    result: 'float32(2, 1, 32)',
  },
  'com.microsoft.QAttention': {
    inputs: [bytes(2, 3, 4), bytes(4, 24), [24], [], [], int32(2), ...[bytes(), bytes()]],
    attrs: { num_heads: { i: 2 } },
    result: 'float32(2, 3, 8)',
  },
  'com.microsoft.RotaryEmbedding': {
    inputs: [[2, 3, 8], { dims: [2, 3], type: 7 }, [4, 2], [4, 2]],
    result: 'float32(2, 3, 8)',
  },
  'com.microsoft.GatherBlockQuantized': {
    inputs: [bytes(6, 16), { dims: [2, 3], type: 7 }, [6, 2]],
    attrs: { bits: { i: 4 }, block_size: { i: 16 } },
    result: 'float32(2, 3, 32)',
  },
  SimplifiedLayerNormalization: {
    inputs: [[2, 3, 4], [4]],
    attrs: { epsilon: { f: 0.001 } },
    result: 'float32(2, 3, 4)',
  },
};

/** The graph of a small node, which is its last. */
export function graphOf(
  { opType: op, domain }: OnnxImporter,
  { inputs, constants = [], attrs, outputs = 1 }: Small,
): GraphParts {
  const sequences: GraphParts['nodes'][number][] = [];
  const values = inputs.flatMap((given, i) => {
    if (given === undefined) return [];
    if ('elements' in given) {
      const parts = given.elements.map((dims, k) => ({ name: `x${i}.${k}`, dims, type: FLOAT }));
      const names = parts.map(({ name }) => name);
      sequences.push({ op: 'SequenceConstruct', in: names, out: [`x${i}`] });
      return parts;
    }
    const { dims, type } = 'dims' in given ? given : { dims: given, type: FLOAT };
    return [{ name: `x${i}`, dims, type }];
  });
  const initializers = constants.map((parts, i) => ({ ...parts, name: `c${i}` }));
  const names = [
    ...inputs.map((given, i) => (given === undefined ? '' : `x${i}`)),
    ...initializers.map(({ name }) => name),
  ];
  const out = Array.from({ length: outputs }, (_, i) => `y${i}`);
  const place = domain === undefined ? {} : { domain };
  const node = { op, ...place, in: names, out, ...(attrs === undefined ? {} : { attrs }) };
  return { nodes: [...sequences, node], inputs: values, initializers, outputs: out };
}

/** The name of an operator in the catalogue. */
export const nameOf = ({ domain, opType }: OnnxImporter): string =>
  domain === undefined ? opType : `${domain}.${opType}`;
