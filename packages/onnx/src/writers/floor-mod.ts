/** `floor_mod`: the remainder with the sign of the right side, which `Mod` has of integers. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const floorMod: OnnxWriter = formula('floor_mod', ({ call, dtype, node }, a, b) =>
  isFloat(dtype(a))
    ? call('subtract', [a, call('multiply', [call('floor_divide', [a, b]), b])])
    : node('Mod', [a, b]),
);
