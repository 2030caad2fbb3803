/** `not_equal`: the negation of `equal`. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const notEqual: OnnxExporter = formula('not_equal', ({ call }, a, b) =>
  call('logical_not', [call('equal', [a, b])]),
);
