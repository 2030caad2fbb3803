/** `left_shift` by the right side modulo the width. `BitShift` takes unsigned numbers. */

import { tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { bitsOf, unsignedOf } from '../forms/shift.ts';
import { castTo, resultDims } from '../forms/types.ts';
import { text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const leftShift: OnnxExporter = formula('left_shift', (context, a, b) => {
  const { call, dtype } = context;
  const own = dtype(a);
  const unsigned = unsignedOf(own);
  const count = call('floor_mod', [b, bitsOf(own)]);
  const [data, by] = [castTo(context, a, unsigned), castTo(context, count, unsigned)];
  const type = tensorType(resultDims(context), unsigned);
  const shifted = context.node('BitShift', [data, by], { direction: text('LEFT') }, type);
  return castTo(context, shifted, own);
});
