/** `image.affine_grid`: the coordinates come from the last axis. */

import { tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { resultDims } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const affineGrid: OnnxExporter = formula('image.affine_grid', (context, x) => {
  if (!context.since(20, 'AffineGrid')) return undefined;
  const [batch, , high, wide] = resultDims(context);
  if (typeof batch !== 'number' || typeof high !== 'number' || typeof wide !== 'number') {
    return context.unknown('expected a known number of images');
  }
  const type = tensorType([batch, high, wide, 2], x.type.dtype);
  const size = context.ints([batch, 1, high, wide]);
  const grid = context.node('AffineGrid', [x, size], { align_corners: int(1) }, type);
  return context.call('transpose', [grid], { axes: [0, 3, 1, 2] });
});
