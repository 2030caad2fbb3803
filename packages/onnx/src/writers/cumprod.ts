/** `cumprod`: in each step, the products of twice as many elements. */
import { formula } from '../forms/formula.ts';
import { castTo, fromFront, resultDType } from '../forms/types.ts';
import type { OnnxWriter, Operand } from '../node/writer.ts';

export const cumprod: OnnxWriter = formula('cumprod', (context, given) => {
  const { call } = context;
  const dtype = resultDType(context);
  const isFlat = context.attrs.value('axis') === null;
  const data = isFlat ? call('reshape', [given], { newshape: [-1] }) : given;
  const rank = context.dims(data).length;
  const axis = isFlat ? 0 : fromFront(context.attrs.int('axis'), rank);
  const size = context.dims(data)[axis];
  if (typeof size !== 'number') {
    return context.fail('expected a known size of the axis', 'give sizes to the dimensions');
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
