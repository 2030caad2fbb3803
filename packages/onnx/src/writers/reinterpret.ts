/** `reinterpret`. */
import { formula } from '../forms/formula.ts';
import { resultDType } from '../forms/types.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';
import { elementNumber } from '../protobuf/element-type.ts';

export const reinterpret: OnnxWriter = formula('reinterpret', (context, x) => {
  if (!context.since(26, 'BitCast')) return undefined;
  return context.node('BitCast', [x], { to: int(elementNumber(resultDType(context))) });
});
