/** `cast`. */
import { formula } from '../forms/formula.ts';
import { resultDType } from '../forms/types.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';
import { elementNumber } from '../protobuf/element-type.ts';

export const cast: OnnxWriter = formula('cast', (context, x) => {
  const to = resultDType(context);
  return context.node('Cast', [x], { to: int(elementNumber(to)) });
});
