/** `vision.roi_align`: `RoiAlign`, with the numbers of the images apart. */

import { tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { inLayout } from '../forms/layout.ts';
import { resultDType } from '../forms/types.ts';
import { float, int, text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const roiAlign: OnnxExporter = formula('vision.roi_align', (context, data, regions) => {
  const { attrs, call } = context;
  if (attrs.text('mode') !== 'avg') {
    return context.fail('RoiAlign takes the maximum of weighted corners, not of samples');
  }
  if (!context.since(16, 'RoiAlign between whole places')) return undefined;
  const layout = attrs.text('layout');
  const x = inLayout(context, data, layout, 'NCHW');
  const column = (begin: number, end: number) =>
    call('strided_slice', [regions], { begin: [begin], end: [end], axes: [1] });
  const images = call('squeeze', [column(0, 1)], { axis: [1] });
  const [height = 1, width = 1] = attrs.ints('pooled_size');
  const [count] = context.dims(regions);
  const [, channels] = context.dims(x);
  if (count === undefined || channels === undefined) return undefined;
  const pooled = context.node(
    'RoiAlign',
    [x, column(1, 5), call('cast', [images], { dtype: 'int64' })],
    {
      coordinate_transformation_mode: text('output_half_pixel'),
      output_height: int(height),
      output_width: int(width),
      sampling_ratio: int(Math.max(attrs.int('sample_ratio'), 0)),
      spatial_scale: float(attrs.float('spatial_scale')),
    },
    tensorType([count, channels, height, width], resultDType(context)),
  );
  return inLayout(context, pooled, 'NCHW', layout);
});
