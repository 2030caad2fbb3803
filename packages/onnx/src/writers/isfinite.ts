/** `isfinite`: neither NaN nor an infinity, so that the difference from itself is 0. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const isfinite: OnnxWriter = formula('isfinite', ({ call }, x) =>
  call('equal', [call('subtract', [x, x]), 0]),
);
