/** `QLinearConcat`: quantized tensors joined along an axis. */
import type { Expr } from '@baton/ir';
import { dequantized, quantizedAs } from '../../families/through-floats.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearConcat: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'QLinearConcat',
  kernelSince: 1,
  convert: (context) => {
    const floats: Expr[] = [];
    for (let place = 2; place + 2 < context.inputCount; place += 3) {
      floats.push(dequantized(context, place));
    }
    const axis = context.attributes.int('axis', 0);
    const joined = context.call('concatenate', [context.tuple(floats)], { axis });
    return quantizedAs(context, joined, 0, context.input(2));
  },
};
