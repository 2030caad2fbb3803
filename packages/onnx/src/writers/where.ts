/** `where`: the condition is a bool. */
import { formula } from '../forms/formula.ts';
import { castTo } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const where: OnnxExporter = formula('where', (context, condition, x, y) =>
  context.node('Where', [castTo(context, condition, 'bool'), x, y]),
);
