/** `cumprod`: in each step, the products of twice as many elements. */
import { formula } from '../forms/formula.ts';
import { alongOneAxis } from '../forms/one-axis.ts';
import { castTo, resultDType } from '../forms/types.ts';
import type { OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const cumprod: OnnxExporter = formula('cumprod', (context, given) => {
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
});
