/** `rsqrt`: the reciprocal of the square root. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const rsqrt: OnnxWriter = formula('rsqrt', ({ call, node }, x) =>
  node('Reciprocal', [call('sqrt', [x])]),
);
