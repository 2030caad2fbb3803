/** Reductions over axes. */
import type { DType } from '@baton/tensor';
import { int, ints } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';
import { castTo, withDType } from './types.ts';

/** The axes of a reduction from the front; `undefined` means all. */
export function reducedAxes(context: CallContext, x: Operand): ReadonlyArray<number> | undefined {
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
export interface ReductionForm {
  readonly opType: string;
  readonly axesInputSince: number;
  /** The dtype in which elements of a dtype that ONNX does not reduce are reduced instead. */
  readonly through?: (dtype: DType) => DType | undefined;
}

/** Small integers are reduced as int32, where sums and products wrap alike. */
export const throughInt32 = (dtype: DType): DType | undefined =>
  dtype === 'bool' || /^u?int(8|16)$/.test(dtype) ? 'int32' : undefined;

/**
 * For the greatest and the least element, which of no elements are the dtype's own limits: bools go
 * through a dtype whose limits, 0 and 255, are bools.
 */
export const throughOwn = (dtype: DType): DType | undefined =>
  dtype === 'bool' ? 'uint8' : /^u?int16$/.test(dtype) ? 'int32' : undefined;

/** The export of a reduction. */
export const reduction = (op: string, form: ReductionForm): OnnxExporter => ({
  op,
  write: (context) => reduced(context, form),
});

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
