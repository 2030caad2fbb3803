/** `cast`. */
import { dtypeInfo } from '@baton/tensor';
import { formula } from '../forms/formula.ts';
import { resultDType } from '../forms/types.ts';
import { int, text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';

export const cast: OnnxExporter = formula('cast', (context, x) => {
  const to = resultDType(context);
  const attributes = { to: int(elementNumber(to)) };
  if (dtypeInfo(to).kind !== 'small') return context.node('Cast', [x], attributes);
  const mode = to === 'float8_e8m0fnu' ? { round_mode: text('nearest') } : {};
  return context.node('Cast', [x], { ...attributes, saturate: int(0), ...mode });
});
