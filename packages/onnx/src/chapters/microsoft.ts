/** The operators of onnxruntime. */

import type { Expr } from '@baton/ir';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { activated, geluOf, swishOf, tanhGeluOf } from '../shared/activations.ts';
import { afterPast, attentionOf, withHeads, withoutHeads } from '../shared/attention.ts';
import { ofType, widened } from '../shared/element-types.ts';
import { matrixProduct, withSwappedEnd } from '../shared/matrix-product.ts';
import { centred, dynamicallyQuantized, eachRow, saturated } from '../shared/quantization.ts';
import { type Chapter, microsoft, readFormula, reads } from '../shared/rows.ts';
import {
  concatenate,
  expandDims,
  reshape,
  slice,
  stack,
  take,
  transpose,
} from '../shared/words.ts';
import { readConv } from './convolutions.ts';
import { normalized, rootNormalized, skipped, softmaxOf } from './normalizations.ts';
import { globallyPooled, readAveragePool } from './pools.ts';
import { readGemm } from './products.ts';
import { readDequantizeLinear, readQuantizeLinear } from './quantized.ts';
import { type Factors, LSTM, recurrent } from './recurrence.ts';

/** The rows of this chapter. */
export const microsoftOperators: Chapter = [
  microsoft('Attention', readAttentionOfMicrosoft, { kernelSince: 1 }),
  microsoft('BiasGelu', readBiasGelu, { kernelSince: 1 }),
  microsoft('DequantizeLinear', readDequantizeLinear),
  microsoft('DynamicQuantizeLSTM', readDynamicQuantizeLstm, { kernelSince: 1 }),
  microsoft('DynamicQuantizeMatMul', readDynamicQuantizeMatMul, { kernelSince: 1 }),
  microsoft('EmbedLayerNormalization', readEmbedLayerNormalization, { kernelSince: 1 }),
  microsoft('FastGelu', readFastGelu, { kernelSince: 1 }),
  microsoft('FusedConv', readFusedConv, { kernelSince: 1 }),
  microsoft('FusedGemm', readFusedGemm, { kernelSince: 1 }),
  microsoft('FusedMatMul', readFusedMatMul, { kernelSince: 1 }),
  microsoft('Gelu', (context) => geluOf(context, context.input(0)), { kernelSince: 1 }),
  microsoft('MatMulIntegerToFloat', readMatMulIntegerToFloat, { kernelSince: 1 }),
  microsoft('MatMulNBits', readMatMulNBits, { kernelSince: 1 }),
  microsoft('MultiHeadAttention', readMultiHeadAttention, { kernelSince: 1 }),
  microsoft('QGemm', readQGemm, { kernelSince: 1 }),
  quantized('QLinearAdd', [0, 3], 6, '?x + ?y'),
  quantized('QLinearAveragePool', [0], 3, channelsFirst(readAveragePool)),
  microsoft('QLinearConcat', readQLinearConcat, { kernelSince: 1 }),
  quantized('QLinearGlobalAveragePool', [0], 3, channelsFirst(readGlobalAverage)),
  quantized('QLinearLeakyRelu', [0], 3, 'nn.leaky_relu(?x, alpha=?alpha)'),
  quantized('QLinearMul', [0, 3], 6, '?x * ?y'),
  quantized('QLinearSigmoid', [0], 3, 'sigmoid(?x)'),
  quantized('QLinearSoftmax', [0], 3, readSoftmaxOfOpset),
  microsoft('QLinearWhere', readQLinearWhere, { kernelSince: 1 }),
  microsoft('QuantizeLinear', readQuantizeLinear),
  microsoft('QuickGelu', readQuickGelu, { kernelSince: 1 }),
  microsoft('SkipLayerNormalization', readSkipLayerNormalization, { kernelSince: 1 }),
  microsoft('SkipSimplifiedLayerNormalization', readSkipSimplifiedLayerNormalization, {
    kernelSince: 1,
  }),
];

/** `Attention` of ONNX Runtime: queries, keys and values are one product of the data. */
function readAttentionOfMicrosoft(context: NodeContext): Converted {
  const { attributes, optional } = context;
  const isOther = ['do_rotary', 'past_present_share_buffer'].some((name) =>
    attributes.int(name, 0),
  );
  if (isOther || optional(6) !== undefined) {
    return context.fail('ONNX_UNSUPPORTED', 'rotary places and shared caches are not imported');
  }
  const parts = projected(context);
  if (parts === undefined) return undefined;
  const past = (index: number): Expr | undefined => {
    const given = optional(4);
    return given && take(context, given, context.scalar(index, 'int32'), 0);
  };
  const [query, fresh, newest] = parts;
  const key = afterPast(context, past(0), fresh);
  const value = afterPast(context, past(1), newest);
  const [, , queries, size] = context.shapeOf(query) ?? [];
  const keys = context.dimsOf(key)[2];
  if (queries === undefined || size === undefined || typeof keys !== 'number') {
    return context.unknown('expected known numbers of queries and keys');
  }
  const found = attentionOf(context, {
    query,
    key,
    value,
    root: Math.sqrt(attributes.float('scale', 1 / Math.sqrt(size))),
    softcap: 0,
    bias: keyBias(context, optional(3), optional(5), { queries, keys }),
    precision: context.dtypeOf(query),
  });
  if (found === undefined) return undefined;
  const present = stack(context, [key, value], 0);
  return [withoutHeads(context, found.result), ...(context.isUsed(1) ? [present] : [])];
}

/** Queries, keys and values, with heads. */
function projected(context: NodeContext): readonly [Expr, Expr, Expr] | undefined {
  const { call, input, optional } = context;
  const product = matrixProduct(context, input(0), input(1));
  const width = context.dimsOf(input(1))[1];
  if (product === undefined) return undefined;
  if (typeof width !== 'number') return context.unknown('expected weights of known size');
  const bias = optional(2);
  const all = bias ? call('add', [product, bias]) : product;
  const third = width / 3;
  const [q = third, k = third, v = third] = context.attributes.ints('qkv_hidden_sizes') ?? [];
  const heads = context.attributes.int('num_heads', 1);
  const part = (begin: number, end: number): Expr =>
    withHeads(context, slice(context, all, 2, begin, end), heads);
  return [part(0, q), part(q, q + k), part(q + k, q + k + v)];
}

/** `DynamicQuantizeLSTM`: `LSTM` with quantized weights; data and states are quantized as they come. */
function readDynamicQuantizeLstm(context: NodeContext): Converted {
  return recurrent(context, { ...LSTM, factors: quantizedFactors() });
}

/** Factors in the places of bytes: what the bytes stand for. */
function quantizedFactors(): Factors {
  const floats = (context: NodeContext, bytes: Expr, point: Expr, scale: Expr): Expr => {
    const whole = centred(context, bytes, point);
    return context.formula('cast_like(?whole, ?scale) * ?scale', { whole, scale });
  };
  return {
    weights: (context, place) => {
      // Scale and zero point: of each direction, or of each of its results.
      const scale = eachColumn(context, 2 * place + 6);
      const point = eachColumn(context, 2 * place + 7);
      const columns = floats(context, context.input(place), point, scale);
      return transpose(context, columns, [0, 2, 1]);
    },
    rounded: (context, x) => {
      const found = dynamicallyQuantized(context, x);
      return found === undefined ? x : floats(context, found.bytes, found.point, found.scale);
    },
  };
}

/** A parameter of the weights, in a shape that broadcasts against them. */
function eachColumn(context: NodeContext, place: number): Expr {
  const given = context.input(place);
  const isEach = context.dimsOf(given).length === 2;
  return context.call('expand_dims', [given], isEach ? { axis: 1 } : { axis: 1, num_newaxis: 2 });
}

/** `DynamicQuantizeMatMul`: data quantized as they come, times quantized integers, as floats. */
function readDynamicQuantizeMatMul(context: NodeContext): Converted {
  const { call, formula, input, optional } = context;
  const found = dynamicallyQuantized(context, input(0));
  if (found === undefined) return undefined;
  const left = centred(context, found.bytes, found.point);
  const sum = matrixProduct(context, left, centred(context, input(1), optional(3)));
  if (sum === undefined) return undefined;
  const scale = call('multiply', [found.scale, input(2)]);
  const scaled = formula('cast_like(?sum, ?scale) * ?scale', { sum, scale });
  const bias = optional(4);
  return bias ? call('add', [scaled, bias]) : scaled;
}

/** `EmbedLayerNormalization`: `LayerNormalization` of the sum of the embeddings of words, places and segments. */
function readEmbedLayerNormalization(context: NodeContext): Converted {
  const { call, input, optional } = context;
  const rows = (table: Expr, ids: Expr): Expr => widened(context, take(context, table, ids, 0));
  const words = rows(input(2), input(0));
  const places = optional(8)
    ? rows(input(3), input(8))
    : widened(context, firstRows(context, input(3), input(0)));
  const [segments, ids] = [optional(4), optional(1)];
  const both = call('add', [words, places]);
  const sum = segments && ids ? call('add', [both, rows(segments, ids)]) : both;
  const { result } = normalized(context, sum, input(5), input(6));
  return [result, lengths(context), ofType(context, sum, context.dtypeOf(input(2)))];
}

/** The rows of the first places, as many as a sequence has. */
function firstRows(context: NodeContext, table: Expr, ids: Expr): Expr {
  const count = context.dimsOf(ids)[1];
  if (typeof count === 'number') {
    return slice(context, table, 0, 0, count);
  }
  context.unknown('expected a known number of places');
  return table;
}

/** The number of places that the mask leaves of each sequence; 0 without a mask. */
function lengths({ call, formula, input, optional }: NodeContext): Expr {
  const mask = optional(7);
  if (mask !== undefined) {
    const kept = formula('cast(?mask == 1, dtype="int32")', { mask });
    return call('sum', [kept], { axis: [1] });
  }
  const none = formula('sum(zeros_like(?input), axis=[1])', { input: input(0) });
  return call('cast', [none], { dtype: 'int32' });
}

/** `FastGelu`: the approximation of `Gelu` by tanh, of data or of a sum. */
function readFastGelu(context: NodeContext): Converted {
  const { call, input, optional } = context;
  const bias = optional(1);
  return tanhGeluOf(context, bias ? call('add', [input(0), bias]) : input(0));
}

/** `FusedConv`: a convolution, with a bias, a summand and an activation function. */
function readFusedConv(context: NodeContext): Converted {
  const inputs = [context.input(0), context.input(1), context.optional(2)];
  const result = readConv(withInputs(context, inputs));
  const sum = context.optional(3);
  const value = result === undefined || '_tag' in result ? result : result[0];
  if (value === undefined) return undefined;
  const whole = sum ? context.call('add', [value, sum]) : value;
  const { attributes } = context;
  const name = attributes.string('activation', '');
  return name === ''
    ? whole
    : activated(context, name, attributes.floats('activation_params') ?? [], whole);
}

/** `FusedGemm`: `Gemm` and an activation function. */
function readFusedGemm(context: NodeContext): Converted {
  const { attributes } = context;
  const result = readGemm(context);
  const value = result === undefined || '_tag' in result ? result : result[0];
  const name = attributes.string('activation', '');
  if (value === undefined || name === '') return value;
  const given = ['activation_alpha', 'activation_beta'].filter(attributes.has);
  return activated(
    context,
    name,
    given.map((key) => attributes.float(key, 0)),
    value,
  );
}

/** `FusedMatMul`: a product of matrices, each transposed if asked for, times a number. */
function readFusedMatMul(context: NodeContext): Converted {
  const { attributes } = context;
  if (attributes.int('transBatchA') !== 0 || attributes.int('transBatchB') !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'transposed batches of matrices are not imported');
  }
  const turned = (index: number, name: string): Expr => {
    const x = context.input(index);
    return attributes.int(name, 0) === 0 ? x : withSwappedEnd(context, x);
  };
  const product = matrixProduct(context, turned(0, 'transA'), turned(1, 'transB'));
  return product && context.call('multiply', [product, attributes.float('alpha')]);
}

/** `MatMulIntegerToFloat`: the product of quantized integers, as floats. */
function readMatMulIntegerToFloat(context: NodeContext): Converted {
  const { call, formula, input, optional } = context;
  const left = centred(context, input(0), optional(4));
  const sum = matrixProduct(context, left, centred(context, input(1), optional(5)));
  if (sum === undefined) return undefined;
  const scale = call('multiply', [input(2), input(3)]);
  const scaled = formula('cast_like(?sum, ?scale) * ?scale', { sum, scale });
  const bias = optional(6);
  return bias ? call('add', [scaled, bias]) : scaled;
}

/** `MultiHeadAttention` of ONNX Runtime: attention with queries, keys and values of their own. */
function readMultiHeadAttention(context: NodeContext): Converted {
  const { attributes, optional } = context;
  const [key, value] = [optional(1), optional(2)];
  if ((key === undefined || value === undefined || optional(8)) ?? optional(9)) {
    return context.fail('ONNX_UNSUPPORTED', 'packed inputs and shared caches are not imported');
  }
  const heads = attributes.int('num_heads', 1);
  const [query, keys, values] = [context.input(0), key, value].map((x, i) =>
    split(context, x, i, heads),
  ) as [Expr, Expr, Expr];
  const [allKeys, allValues] = [
    afterPast(context, optional(6), keys),
    afterPast(context, optional(7), values),
  ];
  const [, , queries, size] = context.shapeOf(query) ?? [];
  const count = context.dimsOf(allKeys)[2];
  if (queries === undefined || size === undefined || typeof count !== 'number') {
    return context.unknown('expected known numbers of queries and keys');
  }
  const found = attentionOf(context, {
    query,
    key: allKeys,
    value: allValues,
    root: Math.sqrt(attributes.float('scale', 1 / Math.sqrt(size))),
    softcap: 0,
    bias: keyBias(context, optional(4), optional(5), { queries, keys: count }),
    precision: context.dtypeOf(query),
  });
  return found && [withoutHeads(context, found.result), allKeys, allValues, found.scores];
}

/** The heads of an input, with its part of the bias; keys and values may have heads already. */
function split(context: NodeContext, x: Expr, index: number, heads: number): Expr {
  const { call } = context;
  const dims = context.dimsOf(x);
  if (dims.length === 4) return x;
  const bias = context.optional(3);
  if (bias === undefined) return withHeads(context, x, heads);
  // The biases of queries, keys and values stand one after another; the first two are as long.
  const width = context.dimsOf(context.input(0))[2];
  const own = dims[2];
  if (typeof width !== 'number' || typeof own !== 'number') return x;
  const begin = index * width;
  const part = slice(context, bias, 0, begin, begin + own);
  return withHeads(context, call('add', [x, part]), heads);
}

/** `QGemm`: `Gemm` of quantized matrices, quantized again or as floats. */
function readQGemm(context: NodeContext): Converted {
  const { attributes, call, formula, input, optional } = context;
  const isTurned = (name: string): boolean => attributes.int(name, 0) !== 0;
  const weight = isTurned('transB') ? eachRow(context, input(5)) : input(5);
  const [a, b] = [centred(context, input(0), input(2)), centred(context, input(3), weight)];
  const left = isTurned('transA') ? withSwappedEnd(context, a) : a;
  const product = matrixProduct(context, left, isTurned('transB') ? withSwappedEnd(context, b) : b);
  if (product === undefined) return undefined;
  const bias = optional(6);
  const sum = bias ? call('add', [product, bias]) : product;
  const alpha = attributes.float('alpha');
  const scale = formula('?input * ?alpha * ?input2', { input: input(1), alpha, input2: input(4) });
  const floats = formula('cast_like(?sum, ?scale) * ?scale', { sum, scale });
  return optional(7) === undefined ? floats : quantizedAs(context, floats, 7, input(0));
}

/** `QLinearConcat`: quantized tensors joined along an axis. */
function readQLinearConcat(context: NodeContext): Converted {
  const floats: Expr[] = [];
  for (let place = 2; place + 2 < context.inputCount; place += 3) {
    floats.push(dequantized(context, place));
  }
  const axis = context.attributes.int('axis', 0);
  const joined = concatenate(context, floats, axis);
  return quantizedAs(context, joined, 0, context.input(2));
}

/** `QLinearWhere`: a choice between quantized tensors, element by element. */
function readQLinearWhere(context: NodeContext): Converted {
  const choices = [context.input(0), dequantized(context, 1), dequantized(context, 4)];
  return quantizedAs(context, context.call('where', choices), 7, context.input(1));
}

/** `SkipLayerNormalization`: `LayerNormalization` of a sum. */
function readSkipLayerNormalization(context: NodeContext): Converted {
  const { input, optional } = context;
  const sum = skipped(context, 4);
  const { result, mean, inverse } = normalized(context, sum, input(2), optional(3));
  return [result, mean, inverse, ofType(context, sum, context.dtypeOf(context.input(0)))];
}

/** `SkipSimplifiedLayerNormalization`: `RMSNormalization` of a sum. */
function readSkipSimplifiedLayerNormalization(context: NodeContext): Converted {
  const sum = skipped(context, 3);
  const { result, mean, inverse } = rootNormalized(context, sum, context.input(2));
  return [result, mean, inverse, ofType(context, sum, context.dtypeOf(context.input(0)))];
}

/**
 * An operator on quantized tensors: dequantized, computed as floats, quantized again. `data` are the
 * places of the quantized inputs, each before its scale and its zero point; `result` is the place of the
 * result's scale, before its zero point.
 */
function quantized(
  opType: string,
  data: ReadonlyArray<number>,
  result: number,
  how: OnnxImporter['convert'] | string,
): OnnxImporter {
  const { convert } = reads(opType, how);
  return microsoft(
    opType,
    (context) => {
      const floats = data.map((place) => dequantized(context, place));
      const found = convert(withInputs(context, floats));
      const value = found === undefined || '_tag' in found ? found : found[0];
      return value && quantizedAs(context, value, result, context.input(data[0] ?? 0));
    },
    { kernelSince: 1 },
  );
}

/** `BiasGelu`: `Gelu` of a sum. */
function readBiasGelu(context: NodeContext): Converted {
  return geluOf(context, readFormula(context, '?x + ?y', false));
}

/** `QuickGelu`: x · sigmoid(αx). */
function readQuickGelu(context: NodeContext): Converted {
  return swishOf(context, context.input(0), context.attributes.float('alpha'));
}

/** The mean over all places of an image. */
function readGlobalAverage(context: NodeContext): Converted {
  return globallyPooled(context, 'nn.global_avg_pool2d', 'mean');
}

/** The softmax with the conventions of the operator set that an attribute names. */
function readSoftmaxOfOpset(context: NodeContext): Converted {
  return softmaxOf(context, 'nn.softmax', context.attributes.int('opset', 13));
}

/** The floats of a quantized input, whose scale and zero point follow it. */
function dequantized(context: NodeContext, place: number): Expr {
  const scale = context.input(place + 1);
  const whole = centred(context, context.input(place), context.optional(place + 2));
  return context.formula('cast_like(?whole, ?scale) * ?scale', { whole, scale });
}

/** Floats quantized by the scale at a place and the zero point after it; `like` has their type. */
function quantizedAs(
  context: NodeContext,
  value: Expr,
  place: number,
  like: Expr,
): Expr | undefined {
  const point = context.optional(place + 1);
  const steps = context.call('divide', [value, context.input(place)]);
  return saturated(context, steps, point, context.dtypeOf(point ?? like));
}

/** The context of a node with other inputs. */
const withInputs = (
  context: NodeContext,
  inputs: ReadonlyArray<Expr | undefined>,
): NodeContext => ({
  ...context,
  version: Number.POSITIVE_INFINITY,
  inputCount: inputs.length,
  input: (index) => inputs[index] ?? context.input(index),
  optional: (index) => inputs[index],
  isUsed: (index) => index === 0,
});

/** The conversion of data whose channels are along the axis that `channels_last` states. */
function channelsFirst(
  convert: (context: NodeContext) => Converted,
): (context: NodeContext) => Converted {
  return (context) => {
    if (context.attributes.int('channels_last') === 0) return convert(context);
    const rank = context.dimsOf(context.input(0)).length;
    const places = Array.from({ length: Math.max(rank - 2, 0) }, (_, i) => i + 1);
    const first = transpose(context, context.input(0), [0, rank - 1, ...places]);
    const found = convert(withInputs(context, [first]));
    const value = found === undefined || '_tag' in found ? found : found[0];
    const back = [0, ...places.map((place) => place + 1), 1];
    return value && transpose(context, value, back);
  };
}

/** The sizes that a mask of keys is for. */
interface MaskSizes {
  readonly queries: number;
  readonly keys: number;
}

/** What is added to the scores for the keys that a mask leaves out, and to keys of the future. */
function keyBias(
  context: NodeContext,
  mask: Expr | undefined,
  added: Expr | undefined,
  sizes: MaskSizes,
): Expr | undefined {
  const { attributes, call, formula } = context;
  const filter = attributes.float('mask_filter_value', -10000);
  const excluded = (kept: Expr): Expr => {
    const share = formula('1 - cast(?kept, dtype="float32")', { kept });
    return call('multiply', [share, filter]);
  };
  const ofMask = mask && maskOf(context, mask, sizes);
  const isCausal = attributes.int('unidirectional') !== 0;
  const seen = isCausal ? pastOf(context, sizes) : undefined;
  const parts = [ofMask && excluded(ofMask), seen && excluded(seen), added];
  const present = parts.filter((part) => part !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, part) => call('add', [sum, part]));
}

const places = (context: NodeContext, count: number): Expr => {
  const bounds = [0, count, 1].map((n) => context.scalar(n, 'int32'));
  return context.call('arange', bounds, { dtype: 'int32' });
};

/** The keys that are kept: by the length of each sequence, by each key, or by query and key. */
function maskOf(context: NodeContext, mask: Expr, { keys }: MaskSizes): Expr | undefined {
  const { call } = context;
  const rank = context.dimsOf(mask).length;
  if (rank === 2) return reshape(context, mask, [0, 1, 1, -1]);
  if (rank === 3) return expandDims(context, mask, 1);
  if (rank === 4) return mask;
  const lengths = reshape(context, mask, [-1, 1, 1, 1]);
  return call('less', [places(context, keys), lengths]);
}

/** Whether a key is not after the query; the last query is at the last key. */
function pastOf(context: NodeContext, { queries, keys }: MaskSizes): Expr {
  const { call } = context;
  const own = call('add', [places(context, queries), keys - queries]);
  return call('greater_equal', [expandDims(context, own, 1), places(context, keys)]);
}

/** The integer that stands for 0 in a block, if the node does not say it. */
const BLOCK_ZERO = 8;

/** `MatMulNBits`: the product with a matrix whose elements have 4 bits, in blocks with scales. */
function readMatMulNBits(context: NodeContext): Converted {
  const { attributes, call, input, optional } = context;
  const [depth, columns] = [attributes.int('K', 0), attributes.int('N', 0)];
  const [bits, size] = [attributes.int('bits', 4), attributes.int('block_size', 32)];
  if (attributes.int('weight_prepacked', 0) !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'prepacked weights of MatMulNBits are not imported');
  }
  if (bits !== 4) {
    return context.fail('ONNX_UNSUPPORTED', `MatMulNBits of ${bits} bits is not imported`);
  }
  if (optional(4) !== undefined) {
    return context.fail('ONNX_UNSUPPORTED', 'MatMulNBits with g_idx is not imported');
  }
  if (depth <= 0 || columns <= 0 || size <= 0) {
    return context.fail('ONNX_ATTRIBUTE', 'expected K, N and block_size of at least 1');
  }
  const blocks = Math.ceil(depth / size);
  const whole = reshape(context, halves(context, input(1)), [columns, blocks, size]);
  const scales = reshape(context, input(2), [columns, blocks, 1]);
  const zeros =
    optional(3) === undefined ? BLOCK_ZERO : zeroPoints(context, input(3), columns, blocks);
  const centred = call('subtract', [call('cast_like', [whole, scales]), zeros]);
  const all = reshape(context, call('multiply', [centred, scales]), [columns, blocks * size]);
  const weight = slice(context, all, 1, 0, depth);
  const product = call('nn.dense', [input(0), weight]);
  const bias = optional(5);
  return bias ? call('add', [product, bias]) : product;
}

/** The halves of bytes, the lower first, along a new last axis. */
function halves(context: NodeContext, bytes: Expr): Expr {
  const number = (value: number): Expr => context.scalar(value, 'uint8');
  const low = context.call('bitwise_and', [bytes, number(LOW)]);
  const high = context.call('right_shift', [bytes, number(HALF)]);
  return stack(context, [low, high], -1);
}

/** The low half of a byte, and its bits. */
const [LOW, HALF] = [15, 4];

/** The zero points of blocks: halves of bytes, of which a row may have one too many, or floats. */
function zeroPoints(context: NodeContext, zeros: Expr, columns: number, blocks: number): Expr {
  const { call } = context;
  const scales = context.input(2);
  if (context.dtypeOf(zeros) !== 'uint8') {
    return reshape(context, zeros, [columns, blocks, 1]);
  }
  const row = 2 * Math.ceil(blocks / 2);
  const all = reshape(context, halves(context, zeros), [columns, row]);
  const own = slice(context, all, 1, 0, blocks);
  return reshape(context, call('cast_like', [own, scales]), [columns, blocks, 1]);
}
