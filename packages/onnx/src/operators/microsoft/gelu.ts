/** `Gelu`: x/2 · (1 + erf(x/√2)). */
import { geluOf } from '../../families/gelu.ts';
import { MICROSOFT } from '../../node/domains.ts';
import type { OnnxOperator } from '../../node/operator.ts';

export const microsoftGelu: OnnxOperator = {
  domain: MICROSOFT,
  opType: 'Gelu',
  versions: [1],
  inputs: [1, 1],
  kernelSince: 1,
  convert: (context) => geluOf(context, context.input(0)),
};
