/** `log10`: the natural logarithm times a constant. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const log10: OnnxWriter = formula('log10', ({ call }, x) =>
  call('multiply', [call('log', [x]), Math.LOG10E]),
);
