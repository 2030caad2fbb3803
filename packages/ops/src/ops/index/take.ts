import { type Dim, describeShape, tensorType } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { int, naturalInt, oneOf, orNone } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { frontAxis } from '../../definition/axes.ts';
import { badAttr, shapeMismatch } from '../../diagnostics.ts';
import { f32, i32 } from '../../example-types.ts';
import { dimAt, dimsAgree, inDomain, normalAxis, ofTwo, report } from '../../relation/known.ts';
import { hasElements } from '../../relation/nothing-to-take.ts';

export const take = defineOp({
  name: 'take',
  doc: 'Slices of the data along `axis`, by index; without an axis, of the flattened data.',
  source: 'operators §4; NumPy take; ONNX Gather-13',
  attrs: attrs({
    batch_dims: withDefault(naturalInt, 0),
    axis: withDefault(orNone(int), null),
    mode: withDefault(oneOf('clip', 'wrap', 'fast'), 'clip'),
  }),
  relation: ofTwo((data, indices, { axis, batch_dims: batch }, context) => {
    if (!inDomain(indices.dtype, 'int', context)) return undefined;
    if (axis === null) {
      if (batch > 0) return report(context, badAttr('batch_dims', 'needs an axis'));
      if (!hasElements(data.shape, indices.shape, context)) return undefined;
      return tensorType(indices.shape, data.dtype);
    }
    const at = normalAxis(axis, data.shape.length, context);
    if (at === undefined) return undefined;
    if (batch > at || batch > indices.shape.length) {
      return report(context, badAttr('batch_dims', 'the axis comes after the batch'));
    }
    const lead: ReadonlyArray<Dim> = data.shape.slice(0, batch);
    if (!dimsAgree(lead, indices.shape.slice(0, batch))) {
      const expected = `beginning with ${describeShape(lead)}`;
      return report(context, shapeMismatch('`indices`', expected, indices.shape, '`data`'));
    }
    const places = indices.shape.slice(batch);
    const shape = [...data.shape.slice(0, at), ...places, ...data.shape.slice(at + 1)];
    if (!hasElements([dimAt(data, at)], shape, context)) return undefined;
    return tensorType(shape, data.dtype);
  }),
  form: {
    _tag: 'Gather',
    gathering: ({ axis, batch_dims: batch, mode }) => ({
      axis: axis ?? undefined,
      batch: axis === null ? 0 : batch,
      isWrapped: mode !== 'clip',
    }),
  },
  // Adds up the gradients of all reads of each element.
  gradient: ({ args: [x, indices], g, attrs, sizes, ...d }) => {
    const { batch_dims: batch, mode } = attrs;
    const axis = attrs.axis === null ? 0 : frontAxis(d, attrs.axis);
    const shape = attrs.axis === null ? [sizeOf(sizes(0))] : sizes(0);
    const [count, dim = 0] = [sizeOf(shape.slice(0, batch)), shape[axis]];
    const [lead, rest] = [shape.slice(batch, axis), shape.slice(axis + 1)];
    const places = sizes(1).slice(batch);
    // (batch, lead, axis, rest) becomes (batch · axis, lead · rest), and so do the rows of g.
    const [leads, rests] = [sizeOf(lead), sizeOf(rest)];
    const rows = d.reshape(g, [count, leads, sizeOf(places), rests]);
    const updates = d.reshape(d.transpose(rows, [0, 2, 1, 3]), [
      count * sizeOf(places),
      leads * rests,
    ]);
    const wide = d.op('cast', [indices], { dtype: 'int64' });
    const last = d.scalar(dim, 'int64');
    const clipped = () =>
      d.op('minimum', [d.op('maximum', [wide, d.scalar(0, 'int64')]), d.scalar(dim - 1, 'int64')]);
    const within = mode === 'clip' ? clipped() : d.op('floor_mod', [wide, last]);
    const starts = d.reshape(d.integers(Array.from({ length: count }, (_, i) => i * dim)), [
      count,
      1,
    ]);
    const at = d.plus(d.reshape(within, [count, sizeOf(places)]), starts);
    const zeros = d.op('zeros', [], { shape: [count * dim, leads * rests], dtype: 'int64' });
    const summed = d.op(
      'scatter_nd',
      [d.op('cast_like', [zeros, x]), d.reshape(at, [1, count * sizeOf(places)]), updates],
      { mode: 'add' },
    );
    const turned = d.transpose(d.reshape(summed, [count, dim, leads, rests]), [0, 2, 1, 3]);
    return [d.reshapeLike(turned, x)];
  },
  examples: [
    {
      args: [f32(3, 5), fromNumbers([0, 2, -1, 9], [2, 2], 'int32')],
      attrs: { axis: 1 },
      result: f32(3, 2, 2),
    },
    { args: [f32(3, 5), i32(4)], attrs: { mode: 'wrap' }, result: f32(4) },
    {
      args: [f32(2, 3, 5), fromNumbers([0, 2, 1, 1], [2, 2], 'int64')],
      attrs: { axis: 1, batch_dims: 1 },
      result: f32(2, 2, 5),
    },
  ],
});

const sizeOf = (sizes: ReadonlyArray<number>): number => sizes.reduce((a, b) => a * b, 1);
