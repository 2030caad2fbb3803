/** `isfinite`: neither NaN nor an infinity, so that the difference from itself is 0. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const isfinite: OnnxExporter = formula('isfinite', ({ call }, x) =>
  call('equal', [call('subtract', [x, x]), 0]),
);
