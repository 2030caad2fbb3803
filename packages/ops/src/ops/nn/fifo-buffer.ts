import { sliceView } from '@baton/tensor';
import { int } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32 } from '../../example-types.ts';
import { concatenate } from '../../kernels/concatenate.ts';
import { hasRank, hasShape, normalAxis, ofTwo, sameDType } from '../../relation/known.ts';

export const fifoBuffer = defineOp({
  name: 'nn.fifo_buffer',
  doc: 'The concatenation of a buffer and new data along `axis`, cut to the last elements, the size of the buffer.',
  source: 'operators §6; Relay v0.14 nn.fifo_buffer',
  inputs: ['data', 'buffer'],
  attrs: attrs({ axis: withDefault(int, 0) }),
  relation: ofTwo((data, buffer, given, context) => {
    if (sameDType(data.dtype, buffer.dtype, '`buffer`', context) === undefined) return undefined;
    const rank = data.shape.length;
    const axis = normalAxis(given.axis, rank, context);
    if (axis === undefined || !hasRank(buffer, '`buffer`', [rank], context)) return undefined;
    const shape = data.shape.map((dim, i) => (i === axis ? (buffer.shape[i] ?? dim) : dim));
    return hasShape(buffer, '`buffer`', shape, context, '`data`')
      ? context.resolve(buffer.type)
      : undefined;
  }),
  kernel: (args, given, out) => {
    const axis = args.axis(0, given.axis);
    const [data, buffer] = [args.tensor(0), args.tensor(1)];
    const all = concatenate([buffer, data], axis, out);
    const begin = out.shape.map((_, i) => (i === axis ? (data.shape[axis] ?? 0) : 0));
    return sliceView(all, begin, out.shape);
  },
  kind: 'other',
  numerics: 'exact',
  definition: ({ args: [data, buffer], attrs: { axis }, sizes, op, items, rank }) => {
    const at = axis < 0 ? axis + rank(0) : axis;
    const [added, kept] = [sizes(0)[at] ?? 0, sizes(1)[at] ?? 0];
    const all = op('concatenate', [items(buffer, data)], { axis: at });
    return op('strided_slice', [all], { begin: [added], end: [added + kept], axes: [at] });
  },
  examples: [
    { args: [f32(2, 3), f32(7, 3)], result: f32(7, 3) },
    { args: [f32(2, 5), f32(2, 3)], attrs: { axis: -1 }, result: f32(2, 3) },
  ],
});
