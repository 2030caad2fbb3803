import { describeShape, type Expr } from '@baton/ir';
import { fromNumbers } from '@baton/tensor';
import { int, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import type { DefinitionSite } from '../../definition/site.ts';
import { shapeMismatch } from '../../diagnostics.ts';
import { f32, i32s, i64 } from '../../example-types.ts';
import { scatterGradient, scatterProduct } from '../../gradient/scatter.ts';
import {
  hasRank,
  hasShape,
  inDomain,
  normalAxis,
  report,
  sameDType,
  tensorArg,
} from '../../relation/known.ts';

export const scatterElements = defineOp({
  name: 'scatter_elements',
  doc: 'The data with each update combined with the element at its index along `axis`.',
  source: 'operators §4; ONNX ScatterElements-18; PyTorch scatter_reduce for mean',
  attrs: attrs({
    axis: withDefault(int, 0),
    reduction: withDefault(oneOf('update', 'add', 'mul', 'mean', 'min', 'max'), 'update'),
  }),
  relation: (args, attrs, context) => {
    const data = tensorArg(args, 0, context);
    const indices = tensorArg(args, 1, context);
    const updates = tensorArg(args, 2, context);
    if (data === undefined || indices === undefined || updates === undefined) return undefined;
    const rank = data.shape.length;
    const domain = attrs.reduction === 'update' ? 'any' : 'number';
    const axis = normalAxis(attrs.axis, rank, context);
    if (axis === undefined) return undefined;
    if (!inDomain(data.dtype, domain, context) || !inDomain(indices.dtype, 'int', context)) {
      return undefined;
    }
    if (!hasRank(indices, '`indices`', [rank], context)) return undefined;
    if (sameDType(data.dtype, updates.dtype, '`updates`', context) === undefined) return undefined;
    if (!hasShape(updates, '`updates`', indices.shape, context, '`indices`')) return undefined;
    const isLarger = indices.shape.some((dim, i) => {
      const most = data.shape[i];
      return i !== axis && typeof dim === 'number' && typeof most === 'number' && dim > most;
    });
    if (!isLarger) return context.resolve(data.type);
    const most = `within ${describeShape(data.shape)} but for axis ${axis}`;
    return report(context, shapeMismatch('`indices`', most, indices.shape, '`data`'));
  },
  form: { _tag: 'Scatter', scattering: ({ axis, reduction: mode }) => ({ axis, mode }) },
  definition: (site) => {
    const { args, attrs: given, op } = site;
    const at = (from: Expr): Expr => op('gather', [from, args[1]], { axis: given.axis });
    return isProduct(site) ? scatterProduct(site, { at }) : undefined;
  },
  gradient: (site) => {
    if (isProduct(site)) return undefined;
    const {
      args: [, indices],
      attrs: { axis, reduction: way },
      op,
    } = site;
    return scatterGradient(site, way, {
      joined: (data, updates, reduction) =>
        op('scatter_elements', [data, indices, updates], { axis, reduction }),
      at: (from) => op('gather', [from, indices], { axis }),
    });
  },
  relayText: { record: 'relay.attrs.ScatterElementsAttrs' },
  examples: [
    {
      args: [f32(2, 3), fromNumbers([0, 2, 1, 1], [2, 2], 'int64'), f32(2, 2)],
      attrs: { axis: 1, reduction: 'add' },
      result: f32(2, 3),
    },
    { args: [i64(5), i32s(-1, 9), i64(2)], result: i64(5) },
  ],
});

/** Whether the scatter is a product of known sizes. */
const isProduct = (site: DefinitionSite<{ readonly reduction: string }>): boolean =>
  site.attrs.reduction === 'mul' && site.areSized(0, 2);
