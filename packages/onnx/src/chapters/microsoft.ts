/** The operators of onnxruntime. */

import type { Expr } from '@baton/ir';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { activated, geluOf, swishOf, tanhGeluOf } from '../shared/activations.ts';
import { afterPast, attentionOf, withHeads, withoutHeads } from '../shared/attention.ts';
import { ofType, widened } from '../shared/element-types.ts';
import { matrixProduct, withSwappedEnd } from '../shared/matrix-product.ts';
import {
  centred,
  dynamicallyQuantized,
  eachRow,
  realOf,
  saturated,
} from '../shared/quantization.ts';
import { type Chapter, microsoft, reads } from '../shared/rows.ts';
import {
  concatenate,
  expandDims,
  plus,
  range,
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

export const microsoftOperators: Chapter = [
  whole('Attention', readAttentionOfMicrosoft),
  whole('BiasGelu', readBiasGelu),
  microsoft('DequantizeLinear', readDequantizeLinear),
  whole('DynamicQuantizeLSTM', readDynamicQuantizeLstm),
  whole('DynamicQuantizeMatMul', readDynamicQuantizeMatMul),
  whole('EmbedLayerNormalization', readEmbedLayerNormalization),
  whole('FastGelu', readFastGelu),
  whole('FusedConv', readFusedConv),
  whole('FusedGemm', readFusedGemm),
  whole('FusedMatMul', readFusedMatMul),
  whole('Gelu', (context) => geluOf(context, context.input(0))),
  whole('MatMulIntegerToFloat', readMatMulIntegerToFloat),
  whole('MatMulNBits', readMatMulNBits),
  whole('MultiHeadAttention', readMultiHeadAttention),
  whole('QGemm', readQGemm),
  quantized('QLinearAdd', [0, 3], 6, '?x + ?y'),
  quantized('QLinearAveragePool', [0], 3, channelsFirst(readAveragePool)),
  whole('QLinearConcat', readQLinearConcat),
  quantized('QLinearGlobalAveragePool', [0], 3, channelsFirst(readGlobalAverage)),
  quantized('QLinearLeakyRelu', [0], 3, 'nn.leaky_relu(?x, alpha=?alpha)'),
  quantized('QLinearMul', [0, 3], 6, '?x * ?y'),
  quantized('QLinearSigmoid', [0], 3, 'sigmoid(?x)'),
  quantized('QLinearSoftmax', [0], 3, readSoftmaxOfOpset),
  whole('QLinearWhere', readQLinearWhere),
  microsoft('QuantizeLinear', readQuantizeLinear),
  whole('QuickGelu', readQuickGelu),
  whole('SkipLayerNormalization', readSkipLayerNormalization),
  whole('SkipSimplifiedLayerNormalization', readSkipSimplifiedLayerNormalization),
];

/** An operator whose nodes stay whole. */
function whole(opType: string, convert: OnnxImporter['convert']): OnnxImporter {
  return microsoft(opType, convert, { kernelSince: 1 });
}

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
  const given = optional(4);
  const past = (index: number): Expr | undefined =>
    given && take(context, given, context.scalar(index, 'int32'), 0);
  const [query, fresh, newest] = parts as [Expr, Expr, Expr];
  const key = afterPast(context, past(0), fresh);
  const value = afterPast(context, past(1), newest);
  const found = ofHeads(context, { query, key, value, mask: optional(3), added: optional(5) });
  if (found === undefined) return undefined;
  const present = stack(context, [key, value], 0);
  return [found.result, ...(context.isUsed(1) ? [present] : [])];
}

function projected(context: NodeContext): ReadonlyArray<Expr> | undefined {
  const { attributes, input, optional } = context;
  const product = matrixProduct(context, input(0), input(1));
  const width = context.dimsOf(input(1))[1];
  if (product === undefined) return undefined;
  if (typeof width !== 'number') return context.unknown('expected weights of known size');
  const all = plus(context, product, optional(2));
  const third = width / 3;
  const [q = third, k = third, v = third] = attributes.ints('qkv_hidden_sizes') ?? [];
  const ends = [q, q + k, q + k + v];
  return ends.map((end, i) => {
    const part = slice(context, all, 2, ends[i - 1] ?? 0, end);
    return withHeads(context, part, attributes.int('num_heads', 1));
  });
}

/** `DynamicQuantizeLSTM`: `LSTM` with quantized weights; data and states are quantized as they come. */
function readDynamicQuantizeLstm(context: NodeContext): Converted {
  return recurrent(context, { ...LSTM, factors: quantizedFactors() });
}

/** Factors in the places of bytes: what the bytes stand for. */
function quantizedFactors(): Factors {
  return {
    weights: (context, place) => {
      // Scale and zero point: of each direction, or of each of its results.
      const scale = eachColumn(context, 2 * place + 6);
      const point = eachColumn(context, 2 * place + 7);
      const columns = realOf(context, centred(context, context.input(place), point), scale);
      return transpose(context, columns, [0, 2, 1]);
    },
    rounded: (context, x) => {
      const found = dynamicallyQuantized(context, x);
      return found === undefined
        ? x
        : realOf(context, centred(context, found.bytes, found.point), found.scale);
    },
  };
}

/** A parameter of the weights, in a shape that broadcasts against them. */
function eachColumn(context: NodeContext, place: number): Expr {
  const given = context.input(place);
  const isEach = context.dimsOf(given).length === 2;
  return context.call('expand_dims', [given], isEach ? { axis: 1 } : { axis: 1, num_newaxis: 2 });
}

function readDynamicQuantizeMatMul(context: NodeContext): Converted {
  const { input, optional } = context;
  const found = dynamicallyQuantized(context, input(0));
  if (found === undefined) return undefined;
  const left = centred(context, found.bytes, found.point);
  const sum = matrixProduct(context, left, centred(context, input(1), optional(3)));
  return sum && plus(context, realOf(context, sum, found.scale, input(2)), optional(4));
}

function readEmbedLayerNormalization(context: NodeContext): Converted {
  const { input, optional } = context;
  const rows = (table: Expr, ids: Expr): Expr => widened(context, take(context, table, ids, 0));
  const words = rows(input(2), input(0));
  const places = optional(8)
    ? rows(input(3), input(8))
    : widened(context, firstRows(context, input(3), input(0)));
  const [segments, ids] = [optional(4), optional(1)];
  const both = plus(context, words, places);
  const sum = plus(context, both, segments && ids && rows(segments, ids));
  const { result } = normalized(context, sum, input(5), input(6));
  return [result, lengths(context), ofType(context, sum, context.dtypeOf(input(2)))];
}

function firstRows(context: NodeContext, table: Expr, ids: Expr): Expr {
  const count = context.dimsOf(ids)[1];
  if (typeof count === 'number') {
    return slice(context, table, 0, 0, count);
  }
  context.unknown('expected a known number of places');
  return table;
}

/** The number of places that the mask leaves of each sequence; 0 without a mask. */
function lengths({ formula, input, optional }: NodeContext): Expr {
  const mask = optional(7);
  return mask === undefined
    ? formula('cast(sum(zeros_like(?ids), axis=[1]), dtype="int32")', { ids: input(0) })
    : formula('sum(cast(?mask == 1, dtype="int32"), axis=[1])', { mask });
}

function readFastGelu(context: NodeContext): Converted {
  return tanhGeluOf(context, plus(context, context.input(0), context.optional(1)));
}

function readFusedConv(context: NodeContext): Converted {
  const { attributes, input, optional } = context;
  const value = firstOf(readConv(withInputs(context, [input(0), input(1), optional(2)])));
  if (value === undefined) return undefined;
  const whole = plus(context, value, optional(3));
  const name = attributes.string('activation', '');
  if (name === '') return whole;
  return activated(context, name, attributes.floats('activation_params') ?? [], whole);
}

function readFusedGemm(context: NodeContext): Converted {
  const { attributes } = context;
  const value = firstOf(readGemm(context));
  const name = attributes.string('activation', '');
  if (value === undefined || name === '') return value;
  const given = ['activation_alpha', 'activation_beta'].filter(attributes.has);
  const parameters = given.map((key) => attributes.float(key, 0));
  return activated(context, name, parameters, value);
}

function readFusedMatMul(context: NodeContext): Converted {
  const { attributes } = context;
  if (attributes.int('transBatchA') !== 0 || attributes.int('transBatchB') !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'transposed batches of matrices are not imported');
  }
  const left = swappedIf(context, 'transA', context.input(0));
  const product = matrixProduct(context, left, swappedIf(context, 'transB', context.input(1)));
  const alpha = attributes.float('alpha');
  return product && context.formula('?product * ?alpha', { product, alpha });
}

/** Matrices, transposed if an attribute says so. */
const swappedIf = (context: NodeContext, name: string, x: Expr): Expr =>
  context.attributes.int(name, 0) === 0 ? x : withSwappedEnd(context, x);

function readMatMulIntegerToFloat(context: NodeContext): Converted {
  const { input, optional } = context;
  const left = centred(context, input(0), optional(4));
  const sum = matrixProduct(context, left, centred(context, input(1), optional(5)));
  return sum && plus(context, realOf(context, sum, input(2), input(3)), optional(6));
}

function readMultiHeadAttention(context: NodeContext): Converted {
  const { attributes, input, optional } = context;
  const [keys, values] = [optional(1), optional(2)];
  if ((keys === undefined || values === undefined || optional(8)) ?? optional(9)) {
    return context.fail('ONNX_UNSUPPORTED', 'packed inputs and shared caches are not imported');
  }
  const heads = attributes.int('num_heads', 1);
  const [query, fresh, newest] = [input(0), keys, values].map((x, i) =>
    split(context, x as Expr, i, heads),
  ) as [Expr, Expr, Expr];
  const key = afterPast(context, optional(6), fresh);
  const value = afterPast(context, optional(7), newest);
  const found = ofHeads(context, { query, key, value, mask: optional(4), added: optional(5) });
  return found && [found.result, key, value, found.scores];
}

interface Heads {
  readonly query: Expr;
  readonly key: Expr;
  readonly value: Expr;
  readonly mask: Expr | undefined;
  readonly added: Expr | undefined;
}

/** The attention of heads, which are joined again, and its scores. */
function ofHeads(
  context: NodeContext,
  { query, key, value, mask, added }: Heads,
): { readonly result: Expr; readonly scores: Expr } | undefined {
  const [, , queries, size] = context.shapeOf(query) ?? [];
  const keys = context.dimsOf(key)[2];
  if (queries === undefined || size === undefined || typeof keys !== 'number') {
    return context.unknown('expected known numbers of queries and keys');
  }
  const found = attentionOf(context, {
    query,
    key,
    value,
    root: Math.sqrt(context.attributes.float('scale', 1 / Math.sqrt(size))),
    softcap: 0,
    bias: keyBias(context, mask, added, { queries, keys }),
    precision: context.dtypeOf(query),
  });
  return found && { ...found, result: withoutHeads(context, found.result) };
}

/** The heads of an input, with its part of the bias; keys and values may have heads already. */
function split(context: NodeContext, x: Expr, index: number, heads: number): Expr {
  const dims = context.dimsOf(x);
  if (dims.length === 4) return x;
  const bias = context.optional(3);
  if (bias === undefined) return withHeads(context, x, heads);
  // The biases of queries, keys and values are concatenated; the first two have equal lengths.
  const width = context.dimsOf(context.input(0))[2];
  const own = dims[2];
  if (typeof width !== 'number' || typeof own !== 'number') return x;
  const part = slice(context, bias, 0, index * width, index * width + own);
  return withHeads(context, plus(context, x, part), heads);
}

function readQGemm(context: NodeContext): Converted {
  const { attributes, formula, input, optional } = context;
  const weight = attributes.int('transB', 0) === 0 ? input(5) : eachRow(context, input(5));
  const [a, b] = [centred(context, input(0), input(2)), centred(context, input(3), weight)];
  const left = swappedIf(context, 'transA', a);
  const product = matrixProduct(context, left, swappedIf(context, 'transB', b));
  if (product === undefined) return undefined;
  const sum = plus(context, product, optional(6));
  const values = { left: input(1), alpha: attributes.float('alpha'), right: input(4) };
  const floats = realOf(context, sum, formula('?left * ?alpha * ?right', values));
  return optional(7) === undefined ? floats : quantizedAs(context, floats, 7, input(0));
}

function readQLinearConcat(context: NodeContext): Converted {
  const floats: Expr[] = [];
  for (let place = 2; place + 2 < context.inputCount; place += 3) {
    floats.push(dequantized(context, place));
  }
  const joined = concatenate(context, floats, context.attributes.int('axis', 0));
  return quantizedAs(context, joined, 0, context.input(2));
}

function readQLinearWhere(context: NodeContext): Converted {
  const choices = [context.input(0), dequantized(context, 1), dequantized(context, 4)];
  return quantizedAs(context, context.call('where', choices), 7, context.input(1));
}

function readSkipLayerNormalization(context: NodeContext): Converted {
  const { input, optional } = context;
  const sum = skipped(context, 4);
  const { result, mean, inverse } = normalized(context, sum, input(2), optional(3));
  return [result, mean, inverse, ofType(context, sum, context.dtypeOf(context.input(0)))];
}

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
  const read = (context: NodeContext): Converted => {
    const floats = data.map((place) => dequantized(context, place));
    const value = firstOf(convert(withInputs(context, floats)));
    return value && quantizedAs(context, value, result, context.input(data[0] ?? 0));
  };
  return whole(opType, read);
}

const firstOf = (found: Converted): Expr | undefined =>
  found === undefined || '_tag' in found ? found : found[0];

function readBiasGelu(context: NodeContext): Converted {
  return geluOf(context, plus(context, context.input(0), context.input(1)));
}

function readQuickGelu(context: NodeContext): Converted {
  return swishOf(context, context.input(0), context.attributes.float('alpha'));
}

function readGlobalAverage(context: NodeContext): Converted {
  return globallyPooled(context, 'nn.global_avg_pool2d', 'mean');
}

/** The softmax with the conventions of the operator set that an attribute names. */
function readSoftmaxOfOpset(context: NodeContext): Converted {
  return softmaxOf(context, 'nn.softmax', context.attributes.int('opset', 13));
}

/** The floats of a quantized input, whose scale and zero point follow it. */
function dequantized(context: NodeContext, place: number): Expr {
  const whole = centred(context, context.input(place), context.optional(place + 2));
  return realOf(context, whole, context.input(place + 1));
}

/** Floats quantized by the scale at a place and the zero point after it; `like` has their type. */
function quantizedAs(
  context: NodeContext,
  value: Expr,
  place: number,
  like: Expr,
): Expr | undefined {
  const point = context.optional(place + 1);
  const steps = context.formula('?value / ?scale', { value, scale: context.input(place) });
  return saturated(context, steps, point, context.dtypeOf(point ?? like));
}

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
    const first = transpose(context, context.input(0), [0, rank - 1, ...range(1, rank - 1)]);
    const value = firstOf(convert(withInputs(context, [first])));
    return value && transpose(context, value, [0, ...range(2, rank), 1]);
  };
}

interface MaskSizes {
  readonly queries: number;
  readonly keys: number;
}

/** The bias of the scores of keys that a mask leaves out, and of keys of the future. */
function keyBias(
  context: NodeContext,
  mask: Expr | undefined,
  added: Expr | undefined,
  sizes: MaskSizes,
): Expr | undefined {
  const { attributes, formula } = context;
  const filter = attributes.float('mask_filter_value', -10000);
  const excluded = (kept: Expr): Expr =>
    formula('(1 - cast(?kept, dtype="float32")) * ?filter', { kept, filter });
  const ofMask = mask && maskOf(context, mask, sizes);
  const seen = attributes.int('unidirectional') === 0 ? undefined : pastOf(context, sizes);
  const parts = [ofMask && excluded(ofMask), seen && excluded(seen), added];
  const [first, ...others] = parts.filter((part) => part !== undefined);
  return first && others.reduce((sum, part) => plus(context, sum, part), first);
}

const places = (context: NodeContext, size: number): Expr => {
  const count = context.scalar(size, 'int32');
  return context.formula('arange(0i32, ?count, 1i32, dtype="int32")', { count });
};

/** The keys that are kept: by the length of each sequence, by each key, or by query and key. */
function maskOf(context: NodeContext, mask: Expr, { keys }: MaskSizes): Expr {
  const rank = context.dimsOf(mask).length;
  if (rank === 2) return reshape(context, mask, [0, 1, 1, -1]);
  if (rank === 3) return expandDims(context, mask, 1);
  if (rank === 4) return mask;
  const text = '?all < reshape(?mask, newshape=[-1, 1, 1, 1])';
  return context.formula(text, { all: places(context, keys), mask });
}

/** Whether a key is not after the query; the last query is at the last key. */
function pastOf(context: NodeContext, { queries, keys }: MaskSizes): Expr {
  const [own, all] = [places(context, queries), places(context, keys)];
  const text = 'expand_dims(?own + ?before, axis=1) >= ?all';
  return context.formula(text, { own, before: keys - queries, all });
}

/** The integer that stands for 0 in a block, if the node does not say it. */
const BLOCK_ZERO = 8;

/** `MatMulNBits`: the product with a matrix whose elements have 4 bits, in blocks with scales. */
function readMatMulNBits(context: NodeContext): Converted {
  const { attributes, input, optional } = context;
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
  const zeros = optional(3) ? zeroPoints(context, input(3), columns, blocks) : BLOCK_ZERO;
  const text = `
    %0 = reshape((cast_like(?whole, ?scales) - ?zeros) * ?scales, newshape=?sizes);
    nn.dense(?x, strided_slice(%0, begin=[0], end=?end, axes=[1]))`;
  const values = { whole, scales, zeros, sizes: [columns, blocks * size], end: [depth] };
  return plus(context, context.formula(text, { ...values, x: input(0) }), optional(5));
}

/** The halves of bytes, the lower first, along a new last axis. */
function halves({ formula }: NodeContext, bytes: Expr): Expr {
  return formula('stack((bitwise_and(?bytes, 15u8), right_shift(?bytes, 4u8)), axis=-1)', {
    bytes,
  });
}

/** The zero points of blocks: halves of bytes, of which a row may have one too many, or floats. */
function zeroPoints(context: NodeContext, zeros: Expr, columns: number, blocks: number): Expr {
  const shape = [columns, blocks, 1];
  if (context.dtypeOf(zeros) !== 'uint8') return reshape(context, zeros, shape);
  const all = reshape(context, halves(context, zeros), [columns, 2 * Math.ceil(blocks / 2)]);
  const own = slice(context, all, 1, 0, blocks);
  const text = 'reshape(cast_like(?own, ?scales), newshape=?shape)';
  return context.formula(text, { own, scales: context.input(2), shape });
}
