/** `floor_mod`: the remainder with the sign of the right side, which `Mod` has of integers. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { CallContext, OnnxExporter } from '../operator-api/exporter.ts';

type Tensor = Parameters<CallContext['dtype']>[0];

export const floorMod: OnnxExporter = formula('floor_mod', (context, a, b) =>
  isFloat(context.dtype(a)) ? ofFloats(context, a, b) : context.node('Mod', [a, b]),
);

/** The remainder with the sign of `a`, to which `b` is added where that has the other sign. */
function ofFloats({ call }: CallContext, a: Tensor, b: Tensor): Tensor {
  const rest = call('mod', [a, b]);
  const isNegative = (value: Tensor): Tensor => call('less', [value, 0]);
  const isOther = call('logical_xor', [isNegative(rest), isNegative(b)]);
  const isWrong = call('logical_and', [call('not_equal', [rest, 0]), isOther]);
  return call('where', [isWrong, call('add', [rest, b]), rest]);
}
