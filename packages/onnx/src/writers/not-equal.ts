/** `not_equal`: the negation of `equal`. */
import { formula } from '../forms/formula.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const notEqual: OnnxWriter = formula('not_equal', ({ call }, a, b) =>
  call('logical_not', [call('equal', [a, b])]),
);
