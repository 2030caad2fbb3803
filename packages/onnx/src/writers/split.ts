/** `split`: the sizes of the parts are an input. */
import { isStaticDim } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { fromFront } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const split: OnnxExporter = formula('split', (context, x) => {
  const axis = fromFront(context.attrs.int('axis'), context.dims(x).length);
  const sizes = context.results.map(({ shape }) => ('_tag' in shape ? undefined : shape[axis]));
  const known = sizes.filter((size) => size !== undefined).filter(isStaticDim);
  const attributes = { axis: int(axis) };
  if (known.length === sizes.length) {
    return context.nodeOf('Split', [x, context.ints(known)], attributes, context.results);
  }
  if (typeof context.attrs.value('indices_or_sections') !== 'number') {
    return context.unknown('expected a known size of the axis that is cut');
  }
  const count = context.opset >= 18 ? { num_outputs: int(sizes.length) } : {};
  return context.nodeOf('Split', [x], { ...attributes, ...count }, context.results);
});
