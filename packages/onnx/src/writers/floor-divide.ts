/** `floor_divide`: ONNX divides integers toward 0, so the remainder is taken off first. */

import { isFloat } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const floorDivide: OnnxWriter = formula('floor_divide', ({ call, dtype }, a, b) =>
  isFloat(dtype(a))
    ? call('floor', [call('divide', [a, b])])
    : call('divide', [call('subtract', [a, call('floor_mod', [a, b])]), b]),
);
