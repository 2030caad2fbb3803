/** `strided_set` between known bounds: each element is scattered to its place. */

import { sliceRanges } from '@baton/ops';
import { fromNumbers, shapeSize, toNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const stridedSet: OnnxExporter = formula(
  'strided_set',
  (context, x, v, begin, end, strides) => {
    const shape = context.shape(x);
    const lists = [begin, end, strides].map(
      ({ constant }) => constant && Array.from(toNumbers(constant)),
    );
    const [from, to, by] = lists;
    if (shape === undefined) return undefined;
    if (from === undefined || to === undefined || by === undefined) {
      return context.fail('expected known bounds');
    }
    const attrs = { begin: from, end: to, strides: by, slice_mode: 'end', axes: null } as const;
    const ranges = sliceRanges(attrs, shape) ?? [];
    const sizes = ranges.map((range) => range.size);
    if (shapeSize(sizes) > MAX_PLACES) return context.fail('too many places to list them');
    const rows = ranges.map(({ begin: first, size, stride }, axis) => {
      const row = Float64Array.from({ length: size }, (_, i) => first + i * stride);
      const along = sizes.map((_, i) => (i === axis ? size : 1));
      const places = context.constant(fromNumbers(row, along, 'int64'));
      return context.call('broadcast_to', [places], { shape: sizes });
    });
    const places = context.call('stack', [rows], { axis: -1 });
    const updates = context.call('broadcast_to', [v], { shape: sizes });
    return context.node('ScatterND', [x, places, updates]);
  },
);

/** The largest list of places. */
const MAX_PLACES = 2 ** 16;
