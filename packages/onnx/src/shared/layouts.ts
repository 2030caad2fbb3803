/** Layouts of data with channels, and padding as a node of its own. */
import { SPATIAL, type SpatialRank } from '@baton/ops';
import type { CallContext, Operand } from '../operator-api/exporter.ts';

export const inLayout = (
  context: CallContext,
  x: Operand,
  source: string,
  target: string,
): Operand =>
  source === target
    ? x
    : context.call('layout_transform', [x], { src_layout: source, dst_layout: target });

/**
 * The call in ONNX's layout, with the data brought there and the result brought back; `undefined`
 * if it is in that layout.
 */
export function viaPlainLayout(
  context: CallContext,
  op: string,
  rank: SpatialRank,
): Operand | undefined {
  const plain = `NC${SPATIAL[rank]}`;
  const { attrs } = context;
  const layout = attrs.text('layout');
  // A resize has no layout of its own for the result.
  const hasOut = Object.hasOwn(attrs.all, 'out_layout');
  const out = (hasOut && attrs.text('out_layout')) || layout;
  if (layout === plain && out === plain) return undefined;
  const data = inLayout(context, context.input(0), layout, plain);
  const result = context.call(op, [data], {
    ...attrs.all,
    layout: plain,
    ...(hasOut ? { out_layout: '' } : {}),
  });
  return inLayout(context, result, plain, out);
}

/** Images with `pads` cells of `filler` around their spatial axes: all befores, then all afters. */
export function around(
  { call }: CallContext,
  images: Operand,
  pads: ReadonlyArray<number>,
  filler: number,
): Operand {
  const rank = pads.length / 2;
  const sides = pads.slice(0, rank).map((before, axis) => [before, pads[rank + axis] ?? 0]);
  return call('nn.pad', [images, filler], { pad_width: [[0, 0], [0, 0], ...sides] });
}
