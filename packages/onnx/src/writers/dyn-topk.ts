/** `dyn.topk`: as `topk`, for a number of elements that the run computes. */
import { anyDim, type Dim, tensorType } from '@baton/ir';
import { isDType } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { castTo, fromFront } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const dynTopk: OnnxExporter = formula('dyn.topk', (context, x, k) => {
  const { attrs } = context;
  const dims = context.dims(x);
  const axis = fromFront(attrs.int('axis'), dims.length);
  const count = context.call('reshape', [castTo(context, k, 'int64')], { newshape: [1] });
  const shape = dims.map((dim, i): Dim => (i === axis ? anyDim : dim));
  const [values, own] = context.nodeOf(
    'TopK',
    [x, count],
    { axis: int(axis), largest: int(!attrs.bool('is_ascend')), sorted: int(1) },
    [tensorType(shape, x.type.dtype), tensorType(shape, 'int64')],
  );
  if (values === undefined || own === undefined) return undefined;
  const dtype = attrs.text('dtype');
  const places = isDType(dtype) ? castTo(context, own, dtype) : own;
  const wanted = attrs.text('ret_type');
  if (wanted === 'both') return [values, places];
  return wanted === 'values' ? values : places;
});
