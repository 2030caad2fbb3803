import { describeShape, type Expr, tensorType } from '@baton/ir';
import { fromNumbers, rowMajorStrides } from '@baton/tensor';
import { naturalInt, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { exact } from '../../definition/column.ts';
import { badExtent, shapeMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { gridStarts, placeWithin } from '../../gradient/places.ts';
import { gatherNd as kernel } from '../../kernels/gather-nd.ts';
import { columnLength } from '../../relation/columns-of-indices.ts';
import { dimsAgree, ofTwo, report } from '../../relation/known.ts';
import { hasElements } from '../../relation/nothing-to-take.ts';

export const gatherNd = defineOp({
  name: 'gather_nd',
  doc: 'The slice of the data at each column of indices.',
  source: 'operators §4; ONNX GatherND-13, with the index along the first axis',
  inputs: ['data', 'indices'],
  attrs: attrs({
    batch_dims: withDefault(naturalInt, 0),
    index_rank: withDefault(orNone(naturalInt), null),
  }),
  relation: ofTwo((data, indices, { batch_dims: batch, index_rank: rank }, context) => {
    const length = columnLength(indices, rank, context);
    if (length === undefined) return undefined;
    if (batch + length > data.shape.length) {
      const message = `${batch + length} indices for rank ${data.shape.length}`;
      return report(context, badExtent('`indices`', message));
    }
    const columns = indices.shape.slice(1);
    const lead = data.shape.slice(0, batch);
    if (!dimsAgree(lead, columns.slice(0, batch))) {
      const expected = `${describeShape(lead)} after its first axis`;
      return report(context, shapeMismatch('`indices`', expected, indices.shape, '`data`'));
    }
    const shape = [...columns, ...data.shape.slice(batch + length)];
    const indexed = data.shape.slice(batch, batch + length);
    if (!hasElements(indexed, shape, context)) return undefined;
    return tensorType(shape, data.dtype);
  }),
  kernel: (args, { batch_dims: batch }, out) =>
    kernel(args.tensor(0), args.tensor(1), batch, out.shape, out),
  definition: exact((site) => {
    const { args, attrs: given, sizes, integers, reshape, op, plus, times, scalar, number } = site;
    const [x, indices] = args;
    const batch = given.batch_dims;
    const [[length = 0, ...columns], shape] = [sizes(1), sizes(0)];
    const strides = rowMajorStrides(shape.slice(0, batch + length));
    const first = gridStarts(columns, (axis) => (axis < batch ? (strides[axis] ?? 0) : 0));
    let place = reshape(integers(first), columns);
    let isInside: Expr | undefined;
    for (let row = 0; row < length; row++) {
      const at = batch + row;
      const index = op('take', [indices, scalar(row, 'int64')], { axis: 0 });
      const { within, isKnown } = placeWithin(site, index, shape[at] ?? 0);
      place = plus(place, times(within, scalar(strides[at] ?? 0, 'int64')));
      isInside = isInside === undefined ? isKnown : op('logical_and', [isInside, isKnown]);
    }
    const rest = shape.slice(batch + length);
    const rows = reshape(x, [-1, ...rest]);
    const taken = op('take', [rows, place], { axis: 0 });
    if (isInside === undefined) return taken;
    const open = reshape(isInside, [...columns, ...rest.map(() => 1)]);
    return op('where', [open, taken, number(0)]);
  }),
  kind: 'movement',
  gradient: ({ args: [x, indices], g, attrs: { batch_dims: batch }, op, zerosLike, refuse }) =>
    batch === 0
      ? [op('scatter_nd', [zerosLike(x), indices, g], { mode: 'add' })]
      : refuse('`batch_dims` is not 0'),
  examples: [
    {
      args: [f32(2, 3, 5), fromNumbers([0, 1, 1, 0, 2, -1], [2, 3], 'int64')],
      result: f32(3, 5),
    },
    {
      args: [f32(2, 3, 5), fromNumbers([2, 0], [1, 2], 'int32')],
      attrs: { batch_dims: 1 },
      result: f32(2, 5),
    },
  ],
});
