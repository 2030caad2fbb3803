/** The operators of onnxruntime. */

import type { Expr } from '@baton/ir';
import { tensor } from '@baton/tensor';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { activated, geluOf, swishOf, tanhGeluOf } from '../shared/activations.ts';
import { ofType, widened } from '../shared/element-types.ts';
import { matrixProduct, withSwappedEnd } from '../shared/matrix-product.ts';
import {
  centred,
  dynamicallyQuantized,
  eachRow,
  realOf,
  saturated,
} from '../shared/quantization.ts';
import { type Chapter, hasOpenScale, microsoft, reads, writes } from '../shared/rows.ts';
import { placesUpTo, sizeOfAxis } from '../shared/sizes.ts';
import { concatenate, plus, range, reshape, slice, take, transpose } from '../shared/words.ts';
import { readConv } from './convolutions.ts';
import {
  normalized,
  readRmsNormalization,
  rootNormalized,
  skipped,
  softmaxOf,
} from './normalizations.ts';
import { globallyPooled, readAveragePool } from './pools.ts';
import { readGemm } from './products.ts';
import { readDequantizeLinear, readQuantizeLinear } from './quantized.ts';
import { type Factors, LSTM, recurrent } from './recurrence.ts';

export const microsoftOperators: Chapter = [
  microsoft('BiasGelu', readBiasGelu),
  microsoft('DequantizeLinear', readDequantizeLinear, { kernelWhen: hasOpenScale }),
  microsoft('DynamicQuantizeLSTM', readDynamicQuantizeLstm),
  microsoft('DynamicQuantizeMatMul', readDynamicQuantizeMatMul),
  microsoft('EmbedLayerNormalization', readEmbedLayerNormalization),
  microsoft('FastGelu', readFastGelu),
  microsoft('FusedConv', readFusedConv),
  microsoft('FusedGemm', readFusedGemm),
  microsoft('FusedMatMul', readFusedMatMul),
  microsoft('GatherBlockQuantized', readGatherBlockQuantized),
  microsoft('Gelu', (context) => geluOf(context, context.input(0))),
  microsoft('MatMulIntegerToFloat', readMatMulIntegerToFloat),
  microsoft('MatMulNBits', readMatMulNBits),
  microsoft('QGemm', readQGemm),
  quantized('QLinearAdd', [0, 3], 6, '?x + ?y'),
  quantized('QLinearAveragePool', [0], 3, channelsFirst(readAveragePool)),
  microsoft('QLinearConcat', readQLinearConcat),
  quantized('QLinearGlobalAveragePool', [0], 3, channelsFirst(readGlobalAverage)),
  quantized('QLinearLeakyRelu', [0], 3, 'nn.leaky_relu(?x, alpha=?alpha)'),
  quantized('QLinearMul', [0, 3], 6, '?x * ?y'),
  quantized('QLinearSigmoid', [0], 3, 'sigmoid(?x)'),
  quantized('QLinearSoftmax', [0], 3, readSoftmaxOfOpset),
  microsoft('QLinearWhere', readQLinearWhere),
  microsoft('QuantizeLinear', readQuantizeLinear, { kernelWhen: hasOpenScale }),
  microsoft('QuickGelu', readQuickGelu),
  reads('SimplifiedLayerNormalization', readRmsNormalization, {
    isRuntimeOnly: true,
    kernelSince: 1,
  }),
  microsoft('SkipLayerNormalization', readSkipLayerNormalization),
  microsoft('SkipSimplifiedLayerNormalization', readSkipSimplifiedLayerNormalization),
  writes('nn.dense_nbits', (context) => context.definition()),
];

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

/** `EmbedLayerNormalization`: `LayerNormalization` of the sum of the embeddings of words, places and segments. */
function readEmbedLayerNormalization(context: NodeContext): Converted {
  const { call, input, optional } = context;
  const rows = (table: Expr, ids: Expr): Expr => widened(context, take(context, table, ids, 0));
  const words = rows(input(2), input(0));
  const places = optional(8)
    ? rows(input(3), input(8))
    : rows(input(3), placesUpTo(context, sizeOfAxis(context, input(0), 1)));
  const [segments, ids] = [optional(4), optional(1)];
  const both = call('add', [words, places]);
  const sum = segments && ids ? call('add', [both, rows(segments, ids)]) : both;
  const { result } = normalized(context, sum, input(5), input(6));
  return [result, lengths(context), ofType(context, sum, context.dtypeOf(input(2)))];
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

function readMatMulIntegerToFloat(context: NodeContext): Converted {
  const { input, optional } = context;
  const left = centred(context, input(0), optional(4));
  const sum = matrixProduct(context, left, centred(context, input(1), optional(5)));
  return sum && plus(context, realOf(context, sum, input(2), input(3)), optional(6));
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
  return microsoft(opType, read);
}

function readBiasGelu(context: NodeContext): Converted {
  return geluOf(context, plus(context, context.input(0), context.input(1)));
}

function readQuickGelu(context: NodeContext): Converted {
  return swishOf(context, context.input(0), context.attributes.float('alpha'));
}

function readGlobalAverage(context: NodeContext): Converted {
  return globallyPooled(context, 'nn.global_avg_pool2d', 'mean');
}

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

/** `MatMulNBits`: the product with a matrix whose elements have a few bits, in blocks with scales. */
function readMatMulNBits(context: NodeContext): Converted {
  const { attributes, call, input, optional } = context;
  const [depth, columns] = [attributes.int('K', 0), attributes.int('N', 0)];
  const [bits, size] = [attributes.int('bits', 4), attributes.int('block_size', 32)];
  if (attributes.int('weight_prepacked', 0) !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'prepacked weights of MatMulNBits are not imported');
  }
  if (!BITS.includes(bits)) {
    return context.fail('ONNX_UNSUPPORTED', `MatMulNBits of ${bits} bits is not imported`);
  }
  if (optional(4) !== undefined) {
    return context.fail('ONNX_UNSUPPORTED', 'MatMulNBits with g_idx is not imported');
  }
  if (depth <= 0 || columns <= 0 || size <= 0) {
    return context.fail('ONNX_ATTRIBUTE', 'expected K, N and block_size of at least 1');
  }
  const blocks = Math.ceil(depth / size);
  const scale = reshape(context, input(2), [columns, blocks]);
  const given = optional(3);
  const zero = given
    ? reshape(context, zeroPoints(context, given, input(2), bits, [columns, blocks]), [
        columns,
        blocks,
      ])
    : context.scalar(2 ** (bits - 1), context.dtypeOf(scale));
  const product = call('nn.dense_nbits', [input(0), input(1), scale, zero], { bits });
  return plus(context, product, optional(5));
}

/** The numbers of bits of packed integers. */
const BITS = [2, 4, 8];

/** The integers that bytes hold, the lowest bits first, along a new last axis. */
function unpacked({ constant, formula }: NodeContext, bytes: Expr, bits: number): Expr {
  const shifts = constant(
    tensor(
      range(0, 8 / bits).map((k) => k * bits),
      [8 / bits],
      'uint8',
    ),
  );
  const text = 'bitwise_and(right_shift(expand_dims(?bytes, axis=-1), ?shifts), ?most)';
  return formula(text, { bytes, shifts, most: 2 ** bits - 1 });
}

/** The zero points of the blocks of rows: floats, or integers of as many bits, packed row by row. */
function zeroPoints(
  context: NodeContext,
  zeros: Expr,
  scales: Expr,
  bits: number,
  [rows, blocks]: readonly [number, number],
): Expr {
  const { call } = context;
  if (context.dtypeOf(zeros) !== 'uint8') return zeros;
  const row = (Math.ceil((blocks * bits) / 8) * 8) / bits;
  const all = reshape(context, unpacked(context, zeros, bits), [rows, row]);
  const own = slice(context, all, 1, 0, blocks);
  return call('cast_like', [own, scales]);
}

/** `GatherBlockQuantized`: rows of a table of small integers, in blocks with scales. */
function readGatherBlockQuantized(context: NodeContext): Converted {
  const { attributes, formula, input, optional } = context;
  const [table, indices, scales] = [input(0), input(1), input(2)];
  const [shape, blocks] = [context.shapeOf(table), context.shapeOf(scales)?.[1]];
  const [bits, size] = [attributes.int('bits'), attributes.int('block_size')];
  if (shape === undefined || blocks === undefined) {
    return context.unknown('expected a table of known size');
  }
  const isOther =
    shape.length !== 2 ||
    attributes.int('gather_axis') !== 0 ||
    ![1, -1].includes(attributes.int('quantize_axis'));
  if (isOther || !BITS.includes(bits) || context.dtypeOf(table) !== 'uint8') {
    return context.fail(
      'ONNX_UNSUPPORTED',
      'only rows of bytes, quantized along them, are imported',
    );
  }
  const [rows = 0, bytes = 0] = shape;
  const width = (bytes * 8) / bits;
  const given = optional(3);
  const zeros = given && zeroPoints(context, given, scales, bits, [rows, blocks]);
  const lead = context.dimsOf(indices).map(() => 0);
  const taken = (x: Expr): Expr =>
    formula('take(?x, ?indices, axis=0, mode="fast")', { x, indices });
  const spread = (x: Expr): Expr =>
    formula('strided_slice(repeat(?x, repeats=?size, axis=-1), begin=[0], end=?end, axes=[-1])', {
      x: taken(x),
      size,
      end: [width],
    });
  const whole = formula('cast_like(reshape(?integers, newshape=?newshape), ?scales)', {
    integers: unpacked(context, taken(table), bits),
    newshape: [...lead, width],
    scales,
  });
  const zero = zeros ? spread(zeros) : 2 ** (bits - 1);
  return formula('(?whole - ?zero) * ?scale', { whole, zero, scale: spread(scales) });
}

const swappedIf = (context: NodeContext, name: string, x: Expr): Expr =>
  context.attributes.int(name, 0) === 0 ? x : withSwappedEnd(context, x);

const firstOf = (found: Converted): Expr | undefined =>
  found === undefined || '_tag' in found ? found : found[0];
