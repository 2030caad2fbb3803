import { tensorType } from '@baton/ir';
import { text } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, shapeMismatch } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { knownSizes, looksAt } from '../../form/views.ts';
import { layoutDims, lettersOf, parseLayout, parseLayoutOf } from '../../layout/layout.ts';
import { movesOfLayout } from '../../layout/transform.ts';
import { dimsInLayout } from '../../relation/in-layout.ts';
import { dimsAgree, report, tensorArg } from '../../relation/known.ts';

export const layoutTransform = defineOp({
  name: 'layout_transform',
  doc: 'The data in another layout of the same axes, with or without blocks.',
  source: 'operators §4; Relay v0.14 layout_transform',
  attrs: attrs({ src_layout: text, dst_layout: text }),
  relation: (args, { src_layout: source, dst_layout: target }, context) => {
    const from = parseLayout(source);
    if (from === undefined) {
      return report(context, badAttr('src_layout', `"${source}" is no layout`));
    }
    const letters = lettersOf(from);
    const to = parseLayoutOf(target, letters);
    if (to === undefined) {
      const message = `"${target}" is no layout of the axes ${letters}`;
      return report(context, badAttr('dst_layout', message));
    }
    const data = tensorArg(args, 0, context);
    if (data === undefined) return undefined;
    const plain = dimsInLayout(data, '`data`', from, source, letters, context);
    if (plain === undefined) return undefined;
    const blocks = from.map((axis, i) => axis.block ?? data.shape[i] ?? 1);
    const shape = layoutDims(plain, letters, to);
    if (!dimsAgree(blocks, data.shape) || shape === undefined) {
      const layout = dimsAgree(blocks, data.shape) ? target : source;
      const expected = `that fits layout ${layout}`;
      return report(context, shapeMismatch('`data`', expected, data.shape));
    }
    return tensorType(shape, data.dtype);
  },
  form: {
    _tag: 'View',
    views: ({ attrs: { src_layout: source, dst_layout: target }, given: [shape] }) => {
      const sizes = knownSizes(shape);
      return sizes && looksAt(...movesOfLayout(sizes, source, target));
    },
  },
  gradient: ({ g, attrs: { src_layout: to, dst_layout: from }, op }) => [
    op('layout_transform', [g], { src_layout: from, dst_layout: to }),
  ],
  examples: [
    {
      args: [f32(1, 8, 2, 2)],
      attrs: { src_layout: 'NCHW', dst_layout: 'NCHW4c' },
      result: f32(1, 2, 2, 2, 4),
    },
    {
      args: [f32(1, 2, 2, 2, 4)],
      attrs: { src_layout: 'NCHW4c', dst_layout: 'NHWC' },
      result: f32(1, 2, 2, 8),
    },
  ],
});
