/** `right_shift` by the right side modulo the width: of signed numbers, a division that rounds down. */

import { tensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { bitsOf, unsignedOf } from '../forms/shift.ts';
import { castTo, resultDims } from '../forms/types.ts';
import { text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const rightShift: OnnxExporter = formula('right_shift', (context, a, b) => {
  const { call, dtype } = context;
  const own = dtype(a);
  const count = call('floor_mod', [b, bitsOf(own)]);
  if (unsignedOf(own) === own) {
    return context.node('BitShift', [a, count], { direction: text('RIGHT') });
  }
  // The complement of a negative number is not negative, and so is its quotient by any power of 2.
  const unsigned = unsignedOf(own);
  const complement = (x: Operand) => call('subtract', [context.scalar(-1, own), x]);
  const isNegative = call('less', [a, 0]);
  const size = call('where', [isNegative, complement(a), a]);
  const [data, by] = [castTo(context, size, unsigned), castTo(context, count, unsigned)];
  const type = tensorType(resultDims(context), unsigned);
  const shifted = context.node('BitShift', [data, by], { direction: text('RIGHT') }, type);
  const result = castTo(context, shifted, own);
  return call('where', [isNegative, complement(result), result]);
});
