/** Integers that stand for floats. */

import { type Dim, isStaticDim } from '@baton/ir';
import { paddingLists } from '@baton/ops';
import { type DType, dtypeInfo, isDType, isFloat, toNumbers } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type {
  CallContext,
  NodeAttributeValues,
  Operand,
  Written,
} from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { ofType } from '../shared/element-types.ts';
import { matrixProduct } from '../shared/matrix-product.ts';
import {
  alongAxis,
  centred,
  converted,
  dynamicallyQuantized,
  eachRow,
  namedType,
  qnnParameters,
  requantized,
  saturated,
} from '../shared/quantization.ts';
import { type Chapter, hasOpenScale, type Operands, reads, writes } from '../shared/rows.ts';
import { convolved } from '../shared/windows.ts';
import { broadcastTo, cast, transpose } from '../shared/words.ts';

export const quantizedOperators: Chapter = [
  reads('ConvInteger', readConvInteger, { kernelSince: 10 }),
  reads('DequantizeLinear', readDequantizeLinear, { kernelSince: 13, kernelWhen: hasOpenScale }),
  reads('DynamicQuantizeLinear', readDynamicQuantizeLinear, { kernelSince: 11 }),
  reads('MatMulInteger', readMatMulInteger, { kernelSince: 10 }),
  reads('QLinearConv', readQLinearConv, { kernelSince: 10 }),
  reads('QLinearMatMul', readQLinearMatMul, { kernelSince: 10 }),
  reads('QuantizeLinear', readQuantizeLinear, { kernelSince: 13, kernelWhen: hasOpenScale }),
  writes('qnn.batch_matmul', (context, [x, y]) => writeMatMulInteger(context, x, y, [0, 2, 1])),
  writes('qnn.conv2d', writeQnnConv2d),
  writes('qnn.dense', (context, [x, y]) => writeMatMulInteger(context, x, y, [1, 0])),
  writes('qnn.dequantize', writeQnnDequantize),
  writes('qnn.quantize', writeQnnQuantize),
  writes('relay.op.annotation.simulated_quantize', writeSimulatedQuantize),
];

function readConvInteger(context: NodeContext): Converted {
  const [x, weight, zero] = [context.input(0), context.input(1), context.optional(3)];
  const rank = context.dimsOf(weight).length;
  const point = zero && alongAxis(context, zero, rank, 0);
  if (context.hasFailed()) return undefined;
  const data = centred(context, x, context.optional(2));
  return convolved(context, data, centred(context, weight, point));
}

export function readDequantizeLinear(context: NodeContext): Converted {
  const [x, scale, zero] = [context.input(0), context.input(1), context.optional(2)];
  const rank = context.dimsOf(x).length;
  const dtype = context.dtypeOf(scale);
  const to = namedType(context, 'output_dtype', dtype);
  if (to === undefined) return undefined;
  const known = qnnParameters(context, rank, context.dtypeOf(x));
  if (known !== undefined) {
    const { axis } = known;
    const real = context.call('qnn.dequantize', [x, known.scale, known.zero], { axis });
    return ofType(context, real, to);
  }
  const axis = context.attributes.int('axis', 1);
  const factor = alongAxis(context, scale, rank, axis);
  const point = zero === undefined ? undefined : alongAxis(context, zero, rank, axis);
  if (factor === undefined || context.hasFailed()) return undefined;
  const data = cast(context, x, dtype);
  const centred =
    point === undefined ? data : context.call('subtract', [data, ofType(context, point, dtype)]);
  return ofType(context, context.call('multiply', [centred, factor]), to);
}

function readDynamicQuantizeLinear(context: NodeContext): Converted {
  const found = dynamicallyQuantized(context, context.input(0));
  return found && [found.bytes, found.scale, found.point];
}

function readMatMulInteger(context: NodeContext): Converted {
  const rows = context.optional(2);
  const left = centred(context, context.input(0), rows && eachRow(context, rows));
  const right = centred(context, context.input(1), context.optional(3));
  return matrixProduct(context, left, right);
}

function readQLinearConv(context: NodeContext): Converted {
  const { input } = context;
  const [x, weight, bias] = [input(0), input(3), context.optional(8)];
  const rank = context.dimsOf(weight).length;
  // One scale and zero point for each channel of the result, or one for all.
  const [point, scale] = [input(5), input(4)];
  const points = alongAxis(context, point, rank, 0);
  const scales = alongAxis(context, scale, rank, 1);
  if (points === undefined || scales === undefined) return undefined;
  const data = centred(context, x, input(2));
  const sum = convolved(context, data, centred(context, weight, points));
  if (sum === undefined) return undefined;
  const whole = bias ? context.call('nn.bias_add', [sum, bias], { axis: 1 }) : sum;
  return requantized(context, whole, [input(1), scales, input(6)], input(7));
}

function readQLinearMatMul(context: NodeContext): Converted {
  const { input } = context;
  const left = centred(context, input(0), eachRow(context, input(2)));
  const sum = matrixProduct(context, left, centred(context, input(3), input(5)));
  const scales = [eachRow(context, input(1)), input(4), input(6)] as const;
  return sum && requantized(context, sum, scales, input(7));
}

export function readQuantizeLinear(context: NodeContext): Converted {
  const [x, scale, zero] = [context.input(0), context.input(1), context.optional(2)];
  const dims = context.dimsOf(x);
  const axis = context.attributes.int('axis', 1);
  const to = namedType(
    context,
    'output_dtype',
    zero === undefined ? 'uint8' : context.dtypeOf(zero),
  );
  const dtype = namedType(context, 'precision', context.dtypeOf(scale));
  if (to === undefined || dtype === undefined) return undefined;
  if (zero !== undefined && to !== context.dtypeOf(zero)) {
    const found = context.dtypeOf(zero);
    return context.fail('ONNX_ATTRIBUTE', `expected a zero point of ${to}, found ${found}`);
  }
  const isNarrow = to !== 'int32' && dtype === context.dtypeOf(scale);
  const known = isNarrow ? qnnParameters(context, dims.length, to) : undefined;
  if (known !== undefined) {
    const args = [ofType(context, x, dtype), known.scale, known.zero];
    const attrs = { axis: known.axis, out_dtype: to, rounding: 'TIESTOEVEN' };
    return context.call('qnn.quantize', args, attrs);
  }
  const factor = alongAxis(context, scale, dims.length, axis);
  const point = zero === undefined ? undefined : alongAxis(context, zero, dims.length, axis);
  if (factor === undefined || context.hasFailed()) return undefined;
  const [data, divisor] = [ofType(context, x, dtype), ofType(context, factor, dtype)];
  const quotient = context.call('divide', [data, divisor]);
  if (!isFloat(to)) return saturated(context, quotient, point, to);
  const moved = point && context.call('add', [quotient, ofType(context, point, dtype)]);
  return converted(context, moved ?? quotient, to);
}

/** `qnn.dense` and `qnn.batch_matmul`, whose second operand is transposed. */
function writeMatMulInteger(
  context: CallContext,
  x: Operand,
  y: Operand,
  axes: ReadonlyArray<number>,
): Written {
  const turned = transpose(context, y, axes);
  return integerProduct(context, 'MatMulInteger', [x, turned]) ?? context.definition();
}

function writeQnnConv2d(context: CallContext, [x, w]: Operands): Written {
  const { attrs } = context;
  const [given, kernel] = [attrs.text('data_layout'), attrs.text('kernel_layout')];
  const out = attrs.text('out_layout') || given;
  const sizes = context.shape(w);
  if (sizes === undefined) return undefined;
  const isPlain = [given, kernel, out].join() === 'NCHW,OIHW,NCHW';
  const product = isPlain
    ? integerProduct(context, 'ConvInteger', [x, w], {
        kernel_shape: ints(sizes.slice(2)),
        strides: ints(attrs.ints('strides')),
        dilations: ints(attrs.ints('dilation')),
        group: int(attrs.int('groups')),
        pads: ints(paddingLists(attrs.ints('padding'), 2)),
      })
    : undefined;
  return product ?? context.definition();
}

/** A node of two operands and their zero points; nothing if those are not of the operands' types. */
function integerProduct(
  context: CallContext,
  opType: 'ConvInteger' | 'MatMulInteger',
  [x, w]: readonly [Operand, Operand],
  attributes: NodeAttributeValues = {},
): Written {
  const zeros = [context.input(2), context.input(3)];
  const types = [x, w].map((operand) => context.dtype(operand));
  if (!types.every((dtype) => dtype === 'int8' || dtype === 'uint8')) return undefined;
  if (!zeros.every((zero, i) => holds(types[i] as DType, zero))) return undefined;
  const points = zeros.map((zero, i) => zeroPoint(context, zero, types[i] as DType));
  return context.node(opType, [x, w, ...points], attributes);
}

/** A zero point in the type of the integers; one number if all are equal, as onnxruntime wants it. */
function zeroPoint(context: CallContext, zero: Operand, dtype: DType): Operand {
  const known = zero.constant === undefined ? [] : Array.from(toNumbers(zero.constant));
  const [first] = known;
  return first !== undefined && known.every((value) => value === first)
    ? context.scalar(first, dtype)
    : cast(context, zero, dtype);
}

function writeQnnDequantize(context: CallContext, [x, scale, zero]: Operands): Written {
  const dtype = context.dtype(x);
  return isQuantized(context, dtype, scale)
    ? quantizationNode(context, 'DequantizeLinear', [x, scale, zero], dtype)
    : context.definition();
}

/** `qnn.quantize`: ONNX rounds halves to the even number. */
function writeQnnQuantize(context: CallContext, [x, scale, zero]: Operands): Written {
  const isEven = context.attrs.text('rounding') === 'TIESTOEVEN';
  const dtype = context.attrs.text('out_dtype');
  return isEven && isQuantized(context, dtype, scale)
    ? quantizationNode(context, 'QuantizeLinear', [x, scale, zero], dtype)
    : context.definition();
}

/** `relay.op.annotation.simulated_quantize`: multiples of a scale, or the data if it is 0. */
function writeSimulatedQuantize({ attrs, formula }: CallContext, [x, y, z, w]: Operands): Written {
  if (attrs.int('kind') === 0) return formula('Identity(?x)', { x });
  const text = 'where(?y == 0, ?x, round(minimum(maximum(?x / ?y, ?z), ?w)) * ?y)';
  return formula(text, { x, y, z, w });
}

/** The first operator set with integers of 16 bits. */
const SINCE_WIDE = 21;

function isQuantized(context: CallContext, dtype: string, scale: Operand): dtype is DType {
  const { opset } = context;
  const [, zero] = context.inputs.slice(1);
  if (zero === undefined || !isDType(dtype) || context.dtype(scale) !== 'float32') return false;
  const { bits } = dtypeInfo(dtype);
  const isTaken = bits === 8 || (bits === 16 && opset >= SINCE_WIDE);
  const isOpen = [scale, zero].some((each) => !context.dims(each).every(isStaticDim));
  return isTaken && !isOpen && holds(dtype, zero);
}

/** Whether a zero point is known to be of the type of the integers, as the node wants it. */
function holds(dtype: DType, { constant }: Operand): boolean {
  if (constant === undefined) return false;
  const { min, max } = dtypeInfo(dtype);
  return Array.from(toNumbers(constant)).every((zero) => min <= zero && zero <= max);
}

/** `QuantizeLinear` or `DequantizeLinear`, whose zero point has the type of the integers. */
function quantizationNode(
  context: CallContext,
  opType: string,
  [x, scale, zero]: readonly [Operand, Operand, Operand],
  dtype: DType,
): Operand {
  const axis = context.attrs.int('axis');
  const sizes = [scale, zero].flatMap((each) => context.dims(each));
  const given = sizes.length === 0 || axis === 1 ? {} : { axis: int(axis) };
  const point = cast(context, zero, dtype);
  const [factor, moved] = [scale, point].map((each) => likeOther(context, each, sizes));
  return context.node(opType, [x, factor, moved], given);
}

/** A number as a vector, if the other parameter is one: both have one shape. */
function likeOther(
  context: CallContext,
  parameter: Operand,
  sizes: ReadonlyArray<Dim>,
): Operand | undefined {
  const [size] = sizes;
  if (typeof size !== 'number' || context.dims(parameter).length > 0) return parameter;
  return broadcastTo(context, parameter, [size]);
}
