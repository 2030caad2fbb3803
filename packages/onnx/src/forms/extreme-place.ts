/** The places of extremes. */
import { tensorType } from '@baton/ir';
import { int } from '../operator-api/attribute-values.ts';
import type { CallContext, OnnxExporter, Written } from '../operator-api/exporter.ts';
import { reducedAxes } from './reduction.ts';
import { castTo, resultDims, resultDType } from './types.ts';

/** The export of an operator that finds the place of an extreme, along one axis or all. */
export const extremePlace = (op: string, opType: string): OnnxExporter => ({
  op,
  write: (context) => found(context, opType),
});

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
