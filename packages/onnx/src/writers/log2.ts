/** `log2`: the natural logarithm times a constant. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const log2: OnnxExporter = formula('log2', ({ call }, x) =>
  call('multiply', [call('log', [x]), Math.LOG2E]),
);
