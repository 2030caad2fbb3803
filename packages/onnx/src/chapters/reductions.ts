/** Reductions over axes, places of extremes, and sums up to each place. */

import { type Expr, isAnyDim, tensorType } from '@baton/ir';
import { type DType, dtypeInfo, isInteger } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import { schemaOf } from '../schemas/schemas.ts';
import {
  castTo,
  fromFront,
  inFloat32,
  ofType,
  resultDims,
  resultDType,
  widened,
  withDType,
} from '../shared/element-types.ts';
import { alongOneAxis } from '../shared/indices.ts';
import { reshaped } from '../shared/reshaping.ts';
import { type Chapter, flag, type Operands, reads, writes } from '../shared/rows.ts';
import { pad, range, reshape } from '../shared/words.ts';

export const reductionOperators: Chapter = [
  readsPlace('ArgMax', 'argmax'),
  readsPlace('ArgMin', 'argmin'),
  {
    ...readsScan('CumProd', 'cumprod'),
    kernelSince: 26, // Of a known size, the products are written as steps.
    kernelWhen: ({ input, shapeOf }) => shapeOf(input(0)) === undefined,
    kernelReads: [1],
  },
  readsScan('CumSum', 'cumsum'),
  readsReduction('ReduceL1', 'sum', { before: 'abs(?x)' }),
  readsReduction('ReduceL2', 'sum', { before: '?x * ?x', after: rootOf }),
  readsReduction('ReduceLogSum', 'sum', { after: ({ formula }, x) => formula('log(?x)', { x }) }),
  reads('ReduceLogSumExp', readReduceLogSumExp),
  readsReduction('ReduceMax', 'max'),
  readsReduction('ReduceMean', 'mean'),
  readsReduction('ReduceMin', 'min'),
  readsReduction('ReduceProd', 'prod'),
  readsReduction('ReduceSum', 'sum'),
  readsReduction('ReduceSumSquare', 'sum', { before: '?x * ?x' }),
  // Of bools: the least and the greatest of 0 and 1.
  writesReduction('all', 'ReduceMin', throughOwn),
  writesReduction('any', 'ReduceMax', throughOwn),
  writesPlace('argmax', 'ArgMax'),
  writesPlace('argmin', 'ArgMin'),
  writes('collapse_sum_like', (context, [x, _like]) => collapsed(context, x)),
  writes('collapse_sum_to', (context, [x, _shape]) => collapsed(context, x)),
  writes('cumprod', writeCumprod),
  writes('cumsum', writeCumsum),
  writesReduction('max', 'ReduceMax', throughOwn),
  writes('mean', writeMean),
  writesReduction('min', 'ReduceMin', throughOwn),
  writesReduction('prod', 'ReduceProd', throughInt32),
  writesReduction('sum', 'ReduceSum', throughInt32),
  inFloat32(writes('variance', writeVariance)),
];

/** The root of a sum of squares, taken as floats of integers. */
function rootOf({ dtypeOf, formula }: NodeContext, x: Expr): Expr {
  const dtype = dtypeOf(x);
  return isInteger(dtype)
    ? formula('cast(sqrt(cast(?x, dtype="float64")), dtype=?dtype)', { x, dtype })
    : formula('sqrt(?x)', { x });
}

/** `ReduceLogSumExp`: log Σ eˣ, with the greatest element factored out against overflow. */
function readReduceLogSumExp(context: NodeContext): Converted {
  const x = context.input(0);
  const { attributes } = context;
  const dims = context.dimsOf(x);
  const given = statedAxes(context, 'ReduceLogSumExp');
  if (context.hasFailed()) return undefined;
  const isEmpty = given === undefined || given.length === 0;
  if (isEmpty && attributes.int('noop_with_empty_axes') !== 0) return x;
  const axes = (isEmpty ? dims.map((_, i) => i) : given).map((a) => context.axis(a, dims.length));
  const keepdims = attributes.int('keepdims') !== 0;
  if (context.hasFailed()) return undefined;
  if (axes.some((axis) => dims[axis] === 0) || axes.length === 0) {
    // An empty axis has no greatest element.
    return context.formula('log(sum(exp(?x), axis=?axes, keepdims=?keepdims))', {
      x,
      axes,
      keepdims,
    });
  }
  // Infinities are no factor: the difference of two is no number.
  const { max: most } = dtypeInfo(context.dtypeOf(x));
  const peak = context.formula(
    'clip(max(?x, axis=?axes, keepdims=True), a_min=?least, a_max=?most)',
    { x, axes, least: -most, most },
  );
  const text = 'log(sum(exp(?x - ?peak), axis=?axes, keepdims=True)) + ?peak';
  const result = context.formula(text, { x, peak, axes });
  return keepdims ? result : context.formula('squeeze(?result, axis=?axes)', { result, axes });
}

/** `cumprod`: in each step, the products of twice as many elements. */
function writeCumprod(context: CallContext, [given]: Operands): Written {
  const { formula } = context;
  const dtype = resultDType(context);
  const { x: data, axis } = alongOneAxis(context, given);
  const dims = context.dims(data);
  const size = dims[axis];
  if (typeof size !== 'number') return context.unknown('expected a known size of the axis');
  const one = context.scalar(1, dtype);
  const moved = (x: Operand, by: number) => {
    const widths = dims.map((_, i) => (i === axis ? [by, -by] : [0, 0]));
    return pad(context, x, one, widths);
  };
  let products = castTo(context, data, dtype);
  if (context.attrs.bool('exclusive') && size > 0) products = moved(products, 1);
  for (let by = 1; by < size; by *= 2) {
    products = formula('?products * ?before', { products, before: moved(products, by) });
  }
  return products;
}

function writeCumsum(context: CallContext, [given]: Operands): Written {
  const { x, axis } = alongOneAxis(context, given);
  const place = context.scalar(axis, 'int64');
  const exclusive = int(context.attrs.bool('exclusive'));
  return context.node('CumSum', [castTo(context, x, resultDType(context)), place], { exclusive });
}

/**
 * `mean`; ONNX has none of integers of 8 and 16 bits: the quotient of the sum, which wraps in its own
 * type, and the number of elements.
 */
function writeMean(context: CallContext, [x]: Operands): Written {
  const dtype = context.dtype(x);
  if (throughInt32(dtype) === undefined) return reduced(context, 'ReduceMean');
  const dims = context.shape(x);
  if (dims === undefined) return undefined;
  const axes = reducedAxes(context, x) ?? dims.map((_, axis) => axis);
  const count = axes.reduce((product, axis) => product * (dims[axis] ?? 1), 1);
  if (count === 0) return context.fail('there is no mean of nothing');
  const text = 'cast(cast(sum(?x, attrs=?all), dtype="int32") / ?count, dtype=?dtype)';
  return context.formula(text, { x, count, dtype, all: context.attrs.all });
}

function writeVariance(context: CallContext, [x, mean]: Operands): Written {
  const { axis = null, keepdims = false, exclude = false, unbiased } = context.attrs.all;
  const text = '%0 = (?x - ?mean); mean(%0 * %0, axis=?axis, keepdims=?keepdims, exclude=?exclude)';
  const biased = context.formula(text, { x, mean, axis, keepdims, exclude });
  if (unbiased !== true) return biased;
  const dims = context.dims(x);
  const axes = reducedAxes(context, x) ?? dims.map((_, i) => i);
  const count = axes.reduce((product, at) => product * Number(dims[at]), 1);
  return Number.isInteger(count)
    ? context.formula('?biased * ?factor', { biased, factor: count / (count - 1) })
    : context.unknown('expected known sizes of the averaged axes');
}

interface Around {
  readonly before?: string;
  readonly after?: (context: NodeContext, x: Expr) => Expr;
}

function statedAxes(context: NodeContext, opType: string): ReadonlyArray<number> | undefined {
  return axesAreInput(opType, context.version) ? context.ints(1) : context.attributes.ints('axes');
}

const axesAreInput = (opType: string, version: number): boolean =>
  schemaOf({ opType }, version)?.attributes.has('axes') === false;

function readsReduction(opType: string, op: string, { before, after }: Around = {}): OnnxImporter {
  return reads(opType, (context) => {
    const { attributes } = context;
    const given = statedAxes(context, opType);
    if (context.hasFailed()) return undefined;
    const own = context.input(0);
    // A single call rounds once: only what is made of several leaves the type on the way.
    const isOneCall = before === undefined && after === undefined;
    const x = isOneCall ? own : widened(context, own);
    const data = before === undefined ? x : context.formula(before, { x });
    const empty = given === undefined || given.length === 0;
    const isNoop = empty && attributes.int('noop_with_empty_axes') !== 0;
    const keepdims = attributes.int('keepdims') !== 0;
    const axis = empty ? null : given;
    const reduced = isNoop ? data : context.call(op, [data], { axis, keepdims });
    return ofType(context, after?.(context, reduced) ?? reduced, context.dtypeOf(own));
  });
}

function readsPlace(opType: string, op: string): OnnxImporter {
  const text = `cast(${op}(?x, axis=?axis, keepdims=?keeps, select_last_index=?last), dtype="int64")`;
  return reads(opType, text, { let: { keeps: flag('keepdims'), last: flag('select_last_index') } });
}

/** The sums or products of all elements up to each index, from either end. */
function readsScan(opType: string, op: string): OnnxImporter {
  return reads(opType, (context) => {
    const x = context.input(0);
    const [given = 0] = context.ints(1) ?? [];
    const axis = context.axis(given, context.dimsOf(x).length);
    if (context.hasFailed()) return undefined;
    const text = flag('reverse')(context)
      ? 'reverse(?op(reverse(?x, axis=?axis), axis=?axis, exclusive=?exclusive), axis=?axis)'
      : '?op(?x, axis=?axis, exclusive=?exclusive)';
    return context.formula(text, { op, x, axis, exclusive: flag('exclusive')(context) });
  });
}

/** The axes of a reduction from the front; `undefined` means all. */
function reducedAxes(context: CallContext, x: Operand): ReadonlyArray<number> | undefined {
  const axis = context.attrs.value('axis');
  const all = range(0, context.dims(x).length);
  const listed = axis === null ? undefined : Array.isArray(axis) ? axis : [axis];
  const given = listed?.map((one) => fromFront(Number(one), all.length));
  if (!context.attrs.bool('exclude')) return given;
  return all.filter((one) => !(given ?? all).includes(one));
}

/** The dtype in which elements of a dtype that ONNX does not reduce are reduced instead. */
type Through = (dtype: DType) => DType | undefined;

/** Small integers are reduced as int32, where sums and products wrap alike. */
function throughInt32(dtype: DType): DType | undefined {
  return dtype === 'bool' || /^u?int(8|16)$/.test(dtype) ? 'int32' : undefined;
}

/**
 * For the greatest and the least element, which of no elements are the dtype's own limits: bools go
 * through a dtype whose limits, 0 and 255, are bools.
 */
function throughOwn(dtype: DType): DType | undefined {
  return dtype === 'bool' ? 'uint8' : /^u?int16$/.test(dtype) ? 'int32' : undefined;
}

function writesReduction(op: string, opType: string, through: Through): OnnxExporter {
  return writes(op, (context) => reduced(context, opType, through));
}

function reduced(context: CallContext, opType: string, through?: Through): Operand {
  const given = context.input(0);
  const axes = reducedAxes(context, given);
  if (axes?.length === 0) return context.node('Identity', [given]);
  const dtype = context.dtype(given);
  const x = castTo(context, given, through?.(dtype) ?? dtype);
  const keepdims = int(context.attrs.bool('keepdims'));
  const [type] = context.results;
  const own = type && withDType(type, context.dtype(x));
  const isInput = axesAreInput(opType, context.opset);
  const inputs = axes !== undefined && isInput ? [x, context.ints(axes)] : [x];
  const stated = axes !== undefined && !isInput ? { axes: ints(axes) } : {};
  return castTo(context, context.node(opType, inputs, { ...stated, keepdims }, own), dtype);
}

function writesPlace(op: string, opType: string): OnnxExporter {
  return writes(op, (context) => found(context, opType));
}

function found(context: CallContext, opType: string): Written {
  const { attrs } = context;
  const x = context.input(0);
  const rank = context.dims(x).length;
  const axes = reducedAxes(context, x) ?? range(0, rank);
  const [axis, ...others] = axes;
  // Along no axis, each element is the first of its own.
  if (axis === undefined && rank > 0) {
    return castTo(context, context.formula('zeros_like(?x)', { x }), resultDType(context));
  }
  if (others.length > 0 && axes.length < rank) {
    return context.fail(`ONNX finds places along one axis, not along ${axes.join(', ')}`);
  }
  const isFlat = others.length > 0 || rank === 0;
  const data = isFlat ? reshape(context, x, [-1]) : x;
  const dims = resultDims(context);
  const attributes = {
    axis: int(isFlat ? 0 : (axis ?? 0)),
    keepdims: int(!isFlat && attrs.bool('keepdims')),
    select_last_index: int(attrs.bool('select_last_index')),
  };
  const type = tensorType(isFlat ? [] : dims, 'int64');
  const place = context.node(opType, [data], attributes, type);
  const result = castTo(context, place, resultDType(context));
  const ones = dims.map(() => 1);
  return isFlat && dims.length > 0 ? reshape(context, result, ones) : result;
}

function collapsed(context: CallContext, x: Operand): Operand | undefined {
  const dims = context.dims(x);
  const result = resultDims(context);
  if (result.some(isAnyDim)) return context.unknown('expected a result of known shape');
  const lead = dims.length - result.length;
  const axis = dims.flatMap((dim, i) =>
    i < lead || (result[i - lead] === 1 && dim !== 1) ? [i] : [],
  );
  if (axis.length === 0) return context.node('Identity', [x]);
  return reshaped(context, context.formula('sum(?x, axis=?axis, keepdims=True)', { x, axis }));
}
