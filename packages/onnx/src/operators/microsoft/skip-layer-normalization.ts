/** `SkipLayerNormalization`: `LayerNormalization` of a sum. */
import { normalized, skipped } from '../../families/layer-normalization.ts';
import { ofType } from '../../families/wide.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const skipLayerNormalization: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'SkipLayerNormalization',
  kernelSince: 1,
  convert: (context) => {
    const { input, optional } = context;
    const sum = skipped(context, 4);
    const { result, mean, inverse } = normalized(context, sum, input(2), optional(3));
    return [result, mean, inverse, ofType(context, sum, context.dtypeOf(context.input(0)))];
  },
};
