/** `log10`: the natural logarithm times a constant. */
import { formula } from '../forms/formula.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const log10: OnnxExporter = formula('log10', ({ call }, x) =>
  call('multiply', [call('log', [x]), Math.LOG10E]),
);
