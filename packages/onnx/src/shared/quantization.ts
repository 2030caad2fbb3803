/** Quantized integers, and casts that round. */

import type { Expr } from '@baton/ir';
import {
  cast as castTensor,
  type DType,
  dtypeInfo,
  isFloat,
  isInteger,
  reshapeView,
  scalar,
} from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { elementType, elementTypeName } from '../protobuf/element-type.ts';
import { ofType } from './element-types.ts';
import { cast, expandDims, plus, reshape, slice } from './words.ts';

/**
 * A scale or zero point in a shape that broadcasts against data of this rank: for all of it, for
 * each place along an axis, or for each block of places; `undefined` after a failure.
 */
export function alongAxis(
  context: NodeContext,
  parameter: Expr,
  rank: number,
  axis: number,
): Expr | undefined {
  const own = context.dimsOf(parameter);
  if (context.hasFailed() || own.length === 0) return parameter;
  const block = context.attributes.int('block_size', 0);
  if (block !== 0) return eachBlock(context, parameter, axis, block);
  if (own.length > 1) {
    return context.fail('ONNX_RANK', 'expected one scale, or one for each place along an axis');
  }
  // One scale is for all of the data, as in onnxruntime, whatever the axis.
  const at = own[0] === 1 ? rank - 1 : context.axis(axis, rank);
  if (rank === 0) return reshape(context, parameter, []);
  const newshape = [-1, ...new Array<number>(Math.max(rank - at - 1, 0)).fill(1)];
  return reshape(context, parameter, newshape);
}

/** One entry for each place along an axis: those of a block are equal, and the last may be shorter. */
function eachBlock(
  context: NodeContext,
  parameter: Expr,
  axis: number,
  block: number,
): Expr | undefined {
  const along = context.axis(axis, context.dimsOf(parameter).length);
  const data = context.input(0);
  const size = context.dimsOf(data)[along];
  if (block < 0) context.fail('ONNX_ATTRIBUTE', 'expected attribute block_size of at least 0');
  if (context.hasFailed()) return undefined;
  const values = { parameter, block, along };
  const all = context.formula('repeat(?parameter, repeats=?block, axis=?along)', values);
  return typeof size === 'number'
    ? slice(context, all, along, 0, size)
    : context.formula('slice_like(?all, ?data, axes=?axes)', { all, data, axes: [along] });
}

/** The dtype that an attribute names, or `other` for 0; `undefined` after a failure. */
export function namedType(
  context: NodeContext,
  attribute: string,
  other: DType,
): DType | undefined {
  const code = context.attributes.int(attribute, 0);
  const dtype = code === 0 ? other : elementType(code)?.dtype;
  if (dtype !== undefined) return dtype;
  const found = elementTypeName(code);
  return context.fail('ONNX_ELEMENT_TYPE', `expected a type of numbers or bool, found ${found}`);
}

/**
 * Floats rounded to the nearest even, plus the zero point, brought within the limits of a type;
 * `undefined` after a failure.
 */
export function saturated(
  context: NodeContext,
  x: Expr,
  point: Expr | undefined,
  dtype: DType,
): Expr | undefined {
  const { min, max, bits } = dtypeInfo(dtype);
  if (!isInteger(dtype) || bits > 16) {
    return context.fail('ONNX_UNSUPPORTED', `quantization to ${dtype} is not imported`);
  }
  const whole = context.formula('rint(?x)', { x });
  const moved = plus(context, whole, point && ofType(context, point, context.dtypeOf(x)));
  const text = 'cast(clip(?moved, a_min=?min, a_max=?max), dtype=?dtype)';
  return context.formula(text, { moved, min: Number(min), max: Number(max), dtype });
}

interface QnnParameters {
  readonly scale: Expr;
  readonly zero: Expr;
  readonly axis: number;
}

/**
 * The scale and the zero point of data for `qnn.quantize` and `qnn.dequantize`; `undefined` where these
 * do not take them: a scale for each block, integers or floats of other types.
 */
export function qnnParameters(
  context: NodeContext,
  rank: number,
  integers: DType,
): QnnParameters | undefined {
  const [scale, zero] = [context.input(1), context.optional(2)];
  if (context.hasFailed() || context.attributes.int('block_size', 0) !== 0) return undefined;
  if (!INTEGERS.includes(integers) || !FLOATS.includes(context.dtypeOf(scale))) return undefined;
  const known = zero === undefined ? scalar(0, 'int32') : context.valueOf(zero);
  // The zero point of a node has the type of the integers, which int32 forgets.
  if (known === undefined) return undefined;
  const point = context.constant(castTensor(known, 'int32'));
  const parameters = [scale, point];
  if (parameters.some((each) => context.dimsOf(each).length > 1)) return undefined;
  const isNumber = parameters.every((each) => isLone(context, each));
  const axis = isNumber ? -1 : context.axis(context.attributes.int('axis', 1), rank);
  return { scale: asNumber(context, scale), zero: asNumber(context, point), axis };
}

const isLone = (context: NodeContext, expr: Expr): boolean =>
  context.dimsOf(expr).every((size) => size === 1);

/** A vector of one element as a number; others as they are. */
function asNumber(context: NodeContext, expr: Expr): Expr {
  if (context.dimsOf(expr).length === 0 || !isLone(context, expr)) return expr;
  const value = context.valueOf(expr);
  if (value !== undefined) return context.constant(reshapeView(value, []));
  return reshape(context, expr, []);
}

/** The integers, and the scales, of `qnn` operators. */
const INTEGERS: ReadonlyArray<DType> = ['int8', 'uint8', 'int16', 'uint16', 'int32'];

const FLOATS: ReadonlyArray<DType> = ['float32', 'float64'];

/** Quantized integers without their zero point, as 32-bit integers. */
export function centred(context: NodeContext, x: Expr, point: Expr | undefined): Expr {
  const data = ofType(context, x, 'int32');
  if (point === undefined) return data;
  return context.formula('?data - ?zero', { data, zero: ofType(context, point, 'int32') });
}

/** The floats that integers without their zero point stand for, by a scale or a product of two. */
export function realOf({ formula }: NodeContext, whole: Expr, left: Expr, right?: Expr): Expr {
  const scale = right === undefined ? left : formula('?left * ?right', { left, right });
  return formula('cast_like(?whole, ?scale) * ?scale', { whole, scale });
}

/** One parameter for each row of the left factor of a product, or one for all. */
export function eachRow(context: NodeContext, parameter: Expr): Expr {
  return context.dimsOf(parameter).length === 1 ? expandDims(context, parameter, 1) : parameter;
}

/**
 * Sums of products of quantized integers, quantized again. `scales` are those of both factors and
 * of the result; the zero point states the type of the result.
 */
export function requantized(
  context: NodeContext,
  sum: Expr,
  [left, right, result]: readonly [Expr, Expr, Expr],
  point: Expr,
): Expr | undefined {
  const factor = context.formula('?left * ?right / ?result', { left, right, result });
  const floats = ofType(context, sum, context.dtypeOf(factor));
  const steps = context.formula('?floats * ?factor', { floats, factor });
  return saturated(context, steps, point, context.dtypeOf(point));
}

/** Floats as bytes, with scale and zero point from the least and the greatest of them. */
export function dynamicallyQuantized(
  context: NodeContext,
  x: Expr,
): { readonly bytes: Expr; readonly scale: Expr; readonly point: Expr } | undefined {
  const { formula } = context;
  const low = formula('minimum(min(?x), 0)', { x });
  // Data that are all 0 have the scale 1; the greatest byte is 255.
  const text = '%0 = maximum(max(?x), 0) - ?low; where(%0 == 0, 1, %0 / 255)';
  const scale = formula(text, { x, low });
  const lowest = formula('negative(?low) / ?scale', { low, scale });
  const point = saturated(context, lowest, undefined, 'uint8');
  const steps = formula('?x / ?scale', { x, scale });
  const bytes = point && saturated(context, steps, point, 'uint8');
  return bytes && point && { bytes, scale, point };
}

/** A value in another dtype, as the attributes `saturate` and `round_mode` say. */
export function converted(context: NodeContext, x: Expr, dtype: DType): Expr {
  const { call, attributes } = context;
  const { kind } = dtypeInfo(dtype);
  if (kind !== 'small' || context.dtypeOf(x) === dtype) return cast(context, x, dtype);
  const isScale = dtype === 'float8_e8m0fnu';
  const rounded = isScale ? scaleOf(context, x) : floatOf(context, x);
  if (attributes.int('saturate', 1) === 0) return cast(context, rounded, dtype);
  const most = Number(dtypeInfo(dtype).max);
  // An infinite scale is no number: it is not brought within the limits.
  const isOpen = isScale && call('less', [call('abs', [x]), Number.POSITIVE_INFINITY]);
  const bounded = call('clip', [rounded], { a_min: -most, a_max: most });
  const kept = isOpen ? call('where', [isOpen, bounded, rounded]) : bounded;
  return cast(context, kept, dtype);
}

const floatOf = (context: NodeContext, x: Expr): Expr =>
  isFloat(context.dtypeOf(x)) ? x : ofType(context, x, 'float32');

/** By what to multiply a float for its nearest power of two to be one in this direction. */
const FACTORS: Readonly<Record<string, number>> = { up: 1.5 - 2 ** -23, down: 0.75, nearest: 1 };

/** Magnitudes whose nearest powers of two are what the attribute `round_mode` asks for. */
function scaleOf(context: NodeContext, x: Expr): Expr {
  const { call } = context;
  const mode = context.attributes.string('round_mode', 'up');
  const factor = FACTORS[mode];
  const size = call('abs', [ofType(context, x, 'float32')]);
  if (factor === undefined) {
    context.fail('ONNX_ATTRIBUTE', `expected up, down or nearest, found ${mode}`);
  }
  return factor === undefined || factor === 1 ? size : call('multiply', [size, factor]);
}
