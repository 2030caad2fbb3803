/** `log2`: the natural logarithm times a constant. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const log2: OnnxWriter = formula('log2', ({ call }, x) =>
  call('multiply', [call('log', [x]), Math.LOG2E]),
);
