import { anyDim, tensorType } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { dtype, int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { discrete } from '../../bounds/rules.ts';
import { perResultElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, f64, i32s } from '../../example-types.ts';
import { dynamic } from '../../families/dynamic.ts';
import { normalAxis } from '../../relation/known.ts';
import { oneHot } from '../index/one-hot.ts';

export const dynOneHot = defineOp({
  name: 'dyn.one_hot',
  doc: 'A new axis of size `depth` with `on_value` at each index and `off_value` elsewhere.',
  ...dynamic({
    of: oneHot,
    inputs: ['indices', 'on_value', 'off_value', 'depth'],
    operands: { depth: 'int' },
    attrs: attrs({ axis: withDefault(int, -1), dtype }),
    open: ([indices], attrs, context) => {
      if (indices === undefined) return undefined;
      const { shape } = indices;
      const axis = normalAxis(attrs.axis, shape.length + 1, context);
      if (axis === undefined) return undefined;
      const wide = [...shape.slice(0, axis), anyDim, ...shape.slice(axis)];
      return tensorType(wide, attrs.dtype);
    },
    examples: [
      {
        args: [i32s(0, 2, 5), f32(), f32(), scalar(4, 'int64')],
        attrs: { dtype: 'float64' },
        result: f64(3, 4),
      },
      {
        args: [i32s(1, -1), f32(), f32(), scalar(3, 'int32')],
        attrs: { dtype: 'float64', axis: 0 },
        result: f64(3, 2),
      },
    ],
  }),
  cost: perResultElement,
  bounds: discrete,
  gradient: ({ args: [indices, on, off, depth], g, attrs: given, op, scalar, times, sumLike }) => {
    const picked = (value: number) => {
      const [one, other] = [scalar(value, given.dtype), scalar(1 - value, given.dtype)];
      return times(g, op('dyn.one_hot', [indices, one, other, depth], given));
    };
    const total = (of: ReturnType<typeof picked>, like: typeof on) =>
      op('cast_like', [sumLike(of, op('cast', [like], { dtype: given.dtype })), like]);
    return [undefined, total(picked(1), on), total(picked(0), off)];
  },
});
