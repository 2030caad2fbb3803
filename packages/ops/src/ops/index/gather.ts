import { type Dim, describeShape, isStaticDim, tensorType } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { int } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { exact } from '../../definition/column.ts';
import { shapeMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { clippedPlace, takenAlong } from '../../gradient/places.ts';
import { gather as kernel } from '../../kernels/take.ts';
import { dimAgrees } from '../../relation/dims.ts';
import { dimAt, hasRank, inDomain, normalAxis, ofTwo, report } from '../../relation/known.ts';
import { hasElements } from '../../relation/nothing-to-take.ts';

export const gather = defineOp({
  name: 'gather',
  doc: 'One element of the data for each index: it replaces the coordinate along `axis`; along other axes there may be fewer indices than elements.',
  source: 'operators §4; PyTorch gather; ONNX GatherElements-13',
  inputs: ['data', 'indices'],
  attrs: attrs({ axis: int }),
  relation: ofTwo((data, indices, attrs, context) => {
    const rank = data.shape.length;
    const axis = normalAxis(attrs.axis, rank, context);
    if (axis === undefined || !inDomain(indices.dtype, 'int', context)) return undefined;
    if (!hasRank(indices, '`indices`', [rank], context)) return undefined;
    if (!indices.shape.every((dim, i) => i === axis || fits(dim, dimAt(data, i)))) {
      const expected = `${describeShape(data.shape)} or smaller, but for axis ${axis}`;
      return report(context, shapeMismatch('`indices`', expected, indices.shape, '`data`'));
    }
    if (!hasElements([dimAt(data, axis)], indices.shape, context)) return undefined;
    return tensorType(indices.shape, data.dtype);
  }),
  kernel: (args, { axis }, out) => kernel(args.tensor(0), args.tensor(1), args.axis(0, axis), out),
  definition: exact((site) => {
    const { args, attrs: given, rank, sizes } = site;
    const axis = given.axis < 0 ? given.axis + rank(0) : given.axis;
    const place = clippedPlace(site, args[1], sizes(0)[axis] ?? 0);
    return takenAlong(site, args[0], place, { shape: sizes(1), axis });
  }),
  kind: 'movement',
  gradient: ({ args: [x, indices], g, attrs: { axis }, op, zerosLike }) => [
    op('scatter_elements', [zerosLike(x), indices, g], { axis, reduction: 'add' }),
  ],
  onnx: {
    opType: 'GatherElements',
    versions: [11, 13],
    attributes: [{ name: 'axis', as: 'axis', kind: 'int', defaultValue: 0 }],
  },
  examples: [
    {
      args: [f32(2, 3), fromNumbers([0, 2, 1, 1], [2, 2], 'int64')],
      attrs: { axis: 1 },
      result: f32(2, 2),
    },
    {
      args: [f32(3, 3), fromNumbers([0, 2, 1, 1], [2, 2], 'int64')],
      attrs: { axis: 1 },
      result: f32(2, 2),
    },
  ],
});

/** Whether an axis of the indices is no longer than the data's. */
const fits = (indices: Dim, data: Dim): boolean =>
  isStaticDim(indices) && isStaticDim(data) ? indices <= data : dimAgrees(indices, data);
