/** `unravel_index` for a known shape: the remainder of the quotient by each stride. */

import { rowMajorStrides, toNumbers } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const unravelIndex: OnnxExporter = formula('unravel_index', (context, places, shape) => {
  const sizes = shape.constant && toNumbers(shape.constant);
  if (sizes === undefined) return context.fail('expected a known shape');
  const strides = rowMajorStrides(Array.from(sizes));
  const rows = Array.from(sizes, (size, axis) => {
    const quotient = context.call('floor_divide', [places, strides[axis] ?? 1]);
    return context.call('floor_mod', [quotient, size]);
  });
  return context.call('stack', [rows], { axis: 0 });
});
