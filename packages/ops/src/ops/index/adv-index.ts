import { invariant } from '@baton/base';
import { type Shape, tensorType } from '@baton/ir';
import { broadcastView, cast, fromNumbers } from '@baton/tensor';
import { defineOp } from '../../define-op.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i32s, i64s } from '../../example-types.ts';
import { stack } from '../../kernels/concatenate.ts';
import { gatherNd } from '../../kernels/gather-nd.ts';
import { broadcastShape } from '../../relation/basic.ts';
import { inDomain, report, tupleArg } from '../../relation/known.ts';
import { hasElements } from '../../relation/nothing-to-take.ts';

export const advIndex = defineOp({
  name: 'adv_index',
  doc: 'The data, the first field of a tuple, indexed along its first axes by the other fields, which broadcast.',
  source: 'operators §4; NumPy advanced indexing',
  inputs: ['inputs'],
  relation: (args, _attrs, context) => {
    const [data, ...indices] = tupleArg(args, 0, context) ?? [];
    if (data === undefined) return undefined;
    const rank = data.shape.length;
    if (indices.length === 0 || indices.length > rank) {
      const message = `${indices.length} indices for rank ${rank}`;
      return report(context, badExtent('the tuple', message));
    }
    if (indices.some(({ dtype }) => !inDomain(dtype, 'int', context))) return undefined;
    const places = indices
      .map(({ shape }): Shape | undefined => shape)
      .reduce((all, shape) => all && shape && broadcastShape(all, shape, context));
    if (places === undefined || '_tag' in places) return undefined;
    const shape = [...places, ...data.shape.slice(indices.length)];
    if (!hasElements(data.shape.slice(0, indices.length), shape, context)) return undefined;
    return tensorType(shape, data.dtype);
  },
  kernel: (args, _attrs, out) => {
    const [data, ...indices] = args.tuple(0);
    invariant(data !== undefined, 'the data is the first of the tuple');
    const places = out.shape.slice(0, out.shape.length - data.shape.length + indices.length);
    const columns = indices.map((index) => broadcastView(cast(index, 'int64', out), places));
    return gatherNd(data, stack(columns, 0, out), 0, out.shape, out);
  },
  kind: 'movement',
  examples: [
    { args: [[f32(4, 3, 2), i64s(0, -1, 2), i64s(1, 0, 2)]], result: f32(3, 2) },
    { args: [[f32(4, 3), fromNumbers([0, 3], [2, 1], 'int32'), i32s(2, 0, 1)]], result: f32(2, 3) },
    { args: [[f32(4, 3), fromNumbers([1, 1, 0, 2], [2, 2], 'int64')]], result: f32(2, 2, 3) },
  ],
});
