/** `reinterpret`. */
import { formula } from '../forms/formula.ts';
import { resultDType } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';

export const reinterpret: OnnxExporter = formula('reinterpret', (context, x) => {
  if (!context.since(26, 'BitCast')) return undefined;
  return context.node('BitCast', [x], { to: int(elementNumber(resultDType(context))) });
});
