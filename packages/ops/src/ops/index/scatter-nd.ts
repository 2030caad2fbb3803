import { fromNumbers } from '@baton/tensor';
import { oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import type { DefinitionSite } from '../../definition/site.ts';
import { badExtent } from '../../diagnostics.ts';
import { f32, i64 } from '../../example-types.ts';
import { scatterGradient, scatterProduct } from '../../gradient/scatter.ts';
import { columnLength } from '../../relation/columns-of-indices.ts';
import { hasShape, inDomain, report, sameDType, tensorArg } from '../../relation/known.ts';

export const scatterNd = defineOp({
  name: 'scatter_nd',
  doc: 'The data with each update combined with the slice at its column of indices.',
  source: 'operators §4; ONNX ScatterND-18, with the index along the first axis',
  attrs: attrs({ mode: withDefault(oneOf('update', 'add', 'mul', 'min', 'max'), 'update') }),
  relation: (args, { mode }, context) => {
    const data = tensorArg(args, 0, context);
    const indices = tensorArg(args, 1, context);
    const updates = tensorArg(args, 2, context);
    if (data === undefined || indices === undefined || updates === undefined) return undefined;
    const length = columnLength(indices, null, context);
    if (length === undefined) return undefined;
    if (!inDomain(data.dtype, mode === 'update' ? 'any' : 'number', context)) return undefined;
    if (sameDType(data.dtype, updates.dtype, '`updates`', context) === undefined) return undefined;
    if (length > data.shape.length) {
      const message = `${length} indices for rank ${data.shape.length}`;
      return report(context, badExtent('`indices`', message));
    }
    const expected = [...indices.shape.slice(1), ...data.shape.slice(length)];
    const from = `axes of \`indices\` from 1, then of \`data\` from ${length}`;
    if (!hasShape(updates, '`updates`', expected, context, from)) return undefined;
    return context.resolve(data.type);
  },
  form: { _tag: 'Scatter', scattering: ({ mode }) => ({ axis: undefined, mode }) },
  definition: (site) =>
    isProduct(site)
      ? scatterProduct(site, { at: (from) => site.op('gather_nd', [from, site.args[1]]) })
      : undefined,
  gradient: (site) => {
    if (isProduct(site)) return undefined;
    const { args, attrs: given, op } = site;
    return scatterGradient(site, given.mode, {
      joined: (data, updates, mode) => op('scatter_nd', [data, args[1], updates], { mode }),
      at: (from) => op('gather_nd', [from, args[1]]),
    });
  },
  relayText: { record: 'relay.attrs.ScatterNDAttrs' },
  examples: [
    {
      args: [f32(4, 3), fromNumbers([1, 3], [1, 2], 'int64'), f32(2, 3)],
      attrs: { mode: 'add' },
      result: f32(4, 3),
    },
    { args: [i64(2, 2), fromNumbers([0, 1, 1, -1], [2, 2], 'int32'), i64(2)], result: i64(2, 2) },
  ],
});

/** Whether the scatter is a product of known sizes. */
const isProduct = (site: DefinitionSite<{ readonly mode: string }>): boolean =>
  site.attrs.mode === 'mul' && site.areSized(0, 2);
