/** `QLinearWhere`: a choice between quantized tensors, element by element. */
import { dequantized, quantizedAs } from '../../families/through-floats.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const qLinearWhere: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'QLinearWhere',
  kernelSince: 1,
  convert: (context) => {
    const choices = [context.input(0), dequantized(context, 1), dequantized(context, 4)];
    return quantizedAs(context, context.call('where', choices), 7, context.input(1));
  },
};
