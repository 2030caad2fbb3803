/** Reductions over axes, places of extremes, and sums up to each place. */

import { type Attrs, type Expr, isAnyDim, tensorType } from '@baton/ir';
import { type DType, dtypeInfo, isInteger } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext, OnnxImporter } from '../operator-api/importer.ts';
import {
  castTo,
  inFloat32,
  ofType,
  resultDims,
  resultDType,
  widened,
  withDType,
} from '../shared/element-types.ts';
import { alongOneAxis } from '../shared/indices.ts';
import { reshaped } from '../shared/reshaping.ts';
import { type Chapter, reads, writes } from '../shared/rows.ts';

/** The rows of this chapter. */
export const reductionOperators: Chapter = [
  // `ArgMax`: the place of the greatest element.
  readsPlace('ArgMax', 'argmax'),
  // `ArgMin`: the place of the least element.
  readsPlace('ArgMin', 'argmin'),
  // `CumProd`: the product of all elements up to each place.
  readsScan('CumProd', 'cumprod'),
  // `CumSum`: the sum of all elements up to each place.
  readsScan('CumSum', 'cumsum'),
  // `ReduceL1`: the sum of absolute values.
  readsReduction({
    opType: 'ReduceL1',
    axesInputSince: 18,
    op: 'sum',
    before: (context, x) => context.call('abs', [x]),
  }),
  // `ReduceL2`: the root of the sum of squares, taken as floats of integers.
  readsReduction({
    opType: 'ReduceL2',
    axesInputSince: 18,
    op: 'sum',
    before: (context, x) => context.call('multiply', [x, x]),
    after: (context, x) => {
      const dtype = context.dtypeOf(x);
      if (!isInteger(dtype)) return context.call('sqrt', [x]);
      const root = context.call('sqrt', [context.call('cast', [x], { dtype: 'float64' })]);
      return context.call('cast', [root], { dtype });
    },
  }),
  // `ReduceLogSum`: the logarithm of the sum.
  readsReduction({
    opType: 'ReduceLogSum',
    axesInputSince: 18,
    op: 'sum',
    after: (context, x) => context.call('log', [x]),
  }),
  reads('ReduceLogSumExp', readReduceLogSumExp),
  // `ReduceMax`: the greatest element.
  readsReduction({
    opType: 'ReduceMax',
    axesInputSince: 18,
    op: 'max',
  }),
  // `ReduceMean`: the mean of the elements.
  readsReduction({
    opType: 'ReduceMean',
    axesInputSince: 18,
    op: 'mean',
  }),
  // `ReduceMin`: the least element.
  readsReduction({
    opType: 'ReduceMin',
    axesInputSince: 18,
    op: 'min',
  }),
  // `ReduceProd`: the product of the elements.
  readsReduction({
    opType: 'ReduceProd',
    axesInputSince: 18,
    op: 'prod',
  }),
  // `ReduceSum`: the sum of the elements.
  readsReduction({
    opType: 'ReduceSum',
    axesInputSince: 13,
    op: 'sum',
  }),
  // `ReduceSumSquare`: the sum of squares.
  readsReduction({
    opType: 'ReduceSumSquare',
    axesInputSince: 18,
    op: 'sum',
    before: (context, x) => context.call('multiply', [x, x]),
  }),
  // `all`: the least of 0 and 1.
  writesReduction('all', {
    opType: 'ReduceMin',
    axesInputSince: 18,
    through: throughOwn,
  }),
  // `any`: the greatest of 0 and 1.
  writesReduction('any', {
    opType: 'ReduceMax',
    axesInputSince: 18,
    through: throughOwn,
  }),
  writesPlace('argmax', 'ArgMax'),
  writesPlace('argmin', 'ArgMin'),
  writes('collapse_sum_like', (context, x, _like) => collapsed(context, x)),
  writes('collapse_sum_to', (context, x, _shape) => collapsed(context, x)),
  writes('cumprod', writeCumprod),
  writes('cumsum', writeCumsum),
  // `max`; of bools, whether any is true.
  writesReduction('max', {
    opType: 'ReduceMax',
    axesInputSince: 18,
    through: throughOwn,
  }),
  // `mean`; ONNX has none of integers of 8 and 16 bits, whose sum wraps before it is divided.
  writes('mean', (context) =>
    throughInt32(context.dtype(context.input(0))) === undefined
      ? reduced(context, { opType: 'ReduceMean', axesInputSince: 18 })
      : meanOfSmall(context),
  ),
  // `min`; of bools, whether all are true.
  writesReduction('min', {
    opType: 'ReduceMin',
    axesInputSince: 18,
    through: throughOwn,
  }),
  // `prod`; of bools, whether all are true.
  writesReduction('prod', {
    opType: 'ReduceProd',
    axesInputSince: 18,
    through: throughInt32,
  }),
  // `sum`; of bools, whether any is true.
  writesReduction('sum', {
    opType: 'ReduceSum',
    axesInputSince: 13,
    through: throughInt32,
  }),
  inFloat32(writes('variance', writeVariance)),
];

/** `ReduceLogSumExp`: log Σ eˣ, with the greatest element factored out against overflow. */
function readReduceLogSumExp(context: NodeContext): Converted {
  const x = context.input(0);
  const { attributes } = context;
  const dims = context.dimsOf(x);
  const given = context.version >= 18 ? context.ints(1) : attributes.ints('axes');
  if (context.hasFailed()) return undefined;
  const isEmpty = given === undefined || given.length === 0;
  if (isEmpty && attributes.int('noop_with_empty_axes') !== 0) return x;
  const axes = (isEmpty ? dims.map((_, i) => i) : given).map((a) => context.axis(a, dims.length));
  const keepdims = attributes.int('keepdims') !== 0;
  if (context.hasFailed()) return undefined;
  if (axes.some((axis) => dims[axis] === 0) || axes.length === 0) {
    // An empty axis has no greatest element.
    const sum = context.call('sum', [context.call('exp', [x])], { axis: axes, keepdims });
    return context.call('log', [sum]);
  }
  // Infinities are no factor: the difference of two is no number.
  const { max: most } = dtypeInfo(context.dtypeOf(x));
  const greatest = context.call('max', [x], { axis: axes, keepdims: true });
  const peak = context.call('clip', [greatest], { a_min: -most, a_max: most });
  const powers = context.call('exp', [context.call('subtract', [x, peak])]);
  const sum = context.call('sum', [powers], { axis: axes, keepdims: true });
  const result = context.call('add', [context.call('log', [sum]), peak]);
  return keepdims ? result : context.call('squeeze', [result], { axis: axes });
}

/** `cumprod`: in each step, the products of twice as many elements. */
function writeCumprod(context: CallContext, given: Operand): Written {
  const { call } = context;
  const dtype = resultDType(context);
  const { x: data, axis } = alongOneAxis(context, given);
  const rank = context.dims(data).length;
  const size = context.dims(data)[axis];
  if (typeof size !== 'number') {
    return context.unknown('expected a known size of the axis');
  }
  const one = context.scalar(1, dtype);
  const moved = (x: Operand, by: number) => {
    const pad_width = Array.from({ length: rank }, (_, i) => (i === axis ? [by, -by] : [0, 0]));
    return call('nn.pad', [x, one], { pad_width });
  };
  let products = castTo(context, data, dtype);
  if (context.attrs.bool('exclusive') && size > 0) products = moved(products, 1);
  for (let by = 1; by < size; by *= 2) products = call('multiply', [products, moved(products, by)]);
  return products === given ? context.node('Identity', [given]) : products;
}

/** `cumsum`: the axis is an input. */
function writeCumsum(context: CallContext, given: Operand): Written {
  const { x, axis } = alongOneAxis(context, given);
  const place = context.scalar(axis, 'int64');
  const exclusive = int(context.attrs.bool('exclusive'));
  return context.node('CumSum', [castTo(context, x, resultDType(context)), place], { exclusive });
}

/** The quotient of the sum, in its own type, and the number of elements. */
function meanOfSmall(context: CallContext): Operand | undefined {
  const x = context.input(0);
  const dims = context.shape(x);
  if (dims === undefined) return undefined;
  const axes = reducedAxes(context, x) ?? dims.map((_, axis) => axis);
  const count = axes.reduce((product, axis) => product * (dims[axis] ?? 1), 1);
  if (count === 0) return context.fail('there is no mean of nothing');
  const sum = context.call('sum', [x], context.attrs.all);
  const quotient = context.call('divide', [castTo(context, sum, 'int32'), count]);
  return castTo(context, quotient, context.dtype(x));
}

/** `variance`: the mean of squared differences. */
function writeVariance(context: CallContext, x: Operand, mean: Operand): Written {
  const { call } = context;
  const difference = call('subtract', [x, mean]);
  const { axis, keepdims, exclude, unbiased } = context.attrs.all as Attrs;
  const squares = call('multiply', [difference, difference]);
  const biased = call('mean', [squares], { axis, keepdims, exclude } as Attrs);
  if (unbiased !== true) return biased;
  const dims = context.dims(x);
  const axes = reducedAxes(context, x) ?? dims.map((_, i) => i);
  const count = axes.reduce((product, at) => product * Number(dims[at]), 1);
  return Number.isInteger(count)
    ? call('multiply', [biased, count / (count - 1)])
    : context.unknown('expected known sizes of the averaged axes');
}

/** The particulars of a reduction. */
interface ReductionParts {
  readonly opType: string;
  /** The version from which the axes are an input. */
  readonly axesInputSince: number;
  /** The Baton reduction. */
  readonly op: string;
  /** The operation on each element before. */
  readonly before?: (context: NodeContext, x: Expr) => Expr;
  /** The operation on each result. */
  readonly after?: (context: NodeContext, x: Expr) => Expr;
}

/** An operator that reduces over axes. */
function readsReduction(parts: ReductionParts): OnnxImporter {
  return {
    opType: parts.opType,
    convert: (context) => {
      const { attributes } = context;
      const fromInput = context.version >= parts.axesInputSince;
      const given = fromInput ? context.ints(1) : attributes.ints('axes');
      if (context.hasFailed()) return undefined;
      const x = context.input(0);
      // A single call rounds once: only what is made of several leaves the type on the way.
      const isOneCall = parts.before === undefined && parts.after === undefined;
      const data = isOneCall ? x : widened(context, x);
      const before = parts.before?.(context, data) ?? data;
      const empty = given === undefined || given.length === 0;
      const isNoop = empty && attributes.int('noop_with_empty_axes') !== 0;
      const keepdims = attributes.int('keepdims') !== 0;
      const reduced = isNoop
        ? before
        : context.call(parts.op, [before], { axis: empty ? null : given, keepdims });
      const result = parts.after?.(context, reduced) ?? reduced;
      return ofType(context, result, context.dtypeOf(x));
    },
  };
}

/** An operator that finds the place of an extreme along one axis. */
function readsPlace(opType: string, op: string): OnnxImporter {
  return {
    opType,
    convert: (context) => {
      const { attributes } = context;
      const found = context.call(op, [context.input(0)], {
        axis: attributes.int('axis'),
        keepdims: attributes.int('keepdims') !== 0,
        select_last_index: attributes.int('select_last_index') !== 0,
      });
      return context.call('cast', [found], { dtype: 'int64' });
    },
  };
}

/** The scan that an operator of Baton does from the front. */
function readsScan(opType: string, op: string): OnnxImporter {
  return {
    opType,
    convert: (context) => {
      const x = context.input(0);
      const [given = 0] = context.ints(1) ?? [];
      const axis = context.axis(given, context.dimsOf(x).length);
      if (context.hasFailed()) return undefined;
      const exclusive = context.attributes.int('exclusive') !== 0;
      const isReversed = context.attributes.int('reverse') !== 0;
      const turned = (data: Expr): Expr =>
        isReversed ? context.call('reverse', [data], { axis }) : data;
      return turned(context.call(op, [turned(x)], { axis, exclusive }));
    },
  };
}

/** The axes of a reduction from the front; `undefined` means all. */
function reducedAxes(context: CallContext, x: Operand): ReadonlyArray<number> | undefined {
  const axis = context.attrs.value('axis');
  const rank = context.dims(x).length;
  const listed =
    axis === null ? undefined : Array.isArray(axis) ? axis.map(Number) : [Number(axis)];
  const given = listed?.map((one) => (one < 0 ? one + rank : one));
  if (!context.attrs.bool('exclude')) return given;
  const excluded = new Set(given ?? Array.from({ length: rank }, (_, i) => i));
  return Array.from({ length: rank }, (_, i) => i).filter((i) => !excluded.has(i));
}

/** A reduction of ONNX: its name, and the operator set since which its axes are an input. */
interface ReductionForm {
  readonly opType: string;
  readonly axesInputSince: number;
  /** The dtype in which elements of a dtype that ONNX does not reduce are reduced instead. */
  readonly through?: (dtype: DType) => DType | undefined;
}

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

/** The export of a reduction. */
function writesReduction(op: string, form: ReductionForm): OnnxExporter {
  return {
    op,
    write: (context) => reduced(context, form),
  };
}

/** The reduction of the call's argument. */
function reduced(context: CallContext, form: ReductionForm): Operand {
  const given = context.input(0);
  const axes = reducedAxes(context, given);
  if (axes?.length === 0) return context.node('Identity', [given]);
  const dtype = context.dtype(given);
  const through = form.through?.(dtype);
  const x = through === undefined ? given : castTo(context, given, through);
  const keepdims = int(context.attrs.bool('keepdims'));
  const [type] = context.results;
  const own = type && withDType(type, context.dtype(x));
  const fromInput = context.opset >= form.axesInputSince;
  const result =
    axes === undefined
      ? context.node(form.opType, [x], { keepdims }, own)
      : fromInput
        ? context.node(form.opType, [x, context.ints(axes)], { keepdims }, own)
        : context.node(form.opType, [x], { axes: ints(axes), keepdims }, own);
  return through === undefined ? result : castTo(context, result, dtype);
}

/** The export of an operator that finds the place of an extreme, along one axis or all. */
function writesPlace(op: string, opType: string): OnnxExporter {
  return {
    op,
    write: (context) => found(context, opType),
  };
}

function found(context: CallContext, opType: string): Written {
  const { attrs } = context;
  const x = context.input(0);
  const rank = context.dims(x).length;
  const axes = reducedAxes(context, x) ?? Array.from({ length: rank }, (_, i) => i);
  const [axis, ...others] = axes;
  // Along no axis, each element is the first of its own.
  if (axis === undefined && rank > 0) {
    return castTo(context, context.call('zeros_like', [x]), resultDType(context));
  }
  if (others.length > 0 && axes.length < rank) {
    return context.fail(`ONNX finds places along one axis, not along ${axes.join(', ')}`);
  }
  const isFlat = others.length > 0 || rank === 0;
  const data = isFlat ? context.call('reshape', [x], { newshape: [-1] }) : x;
  const keepdims = !isFlat && attrs.bool('keepdims');
  const dims = isFlat ? [] : resultDims(context);
  const attributes = {
    axis: int(isFlat ? 0 : (axis ?? 0)),
    keepdims: int(keepdims),
    select_last_index: int(attrs.bool('select_last_index')),
  };
  const place = context.node(opType, [data], attributes, tensorType(dims, 'int64'));
  const result = castTo(context, place, resultDType(context));
  const isSpread = isFlat && resultDims(context).length > 0;
  return isSpread
    ? context.call('reshape', [result], { newshape: resultDims(context).map(() => 1) })
    : result;
}

/** The data summed over the axes along which the call's result was broadcast. */
function collapsed(context: CallContext, x: Operand): Operand | undefined {
  const dims = context.dims(x);
  const result = resultDims(context);
  if (result.some(isAnyDim)) {
    return context.unknown('expected a result of known shape');
  }
  const lead = dims.length - result.length;
  const axis = dims.flatMap((dim, i) =>
    i < lead || (result[i - lead] === 1 && dim !== 1) ? [i] : [],
  );
  if (axis.length === 0) return context.node('Identity', [x]);
  return reshaped(context, context.call('sum', [x], { axis, keepdims: true }));
}
