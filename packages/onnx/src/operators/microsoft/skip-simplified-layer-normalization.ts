/** `SkipSimplifiedLayerNormalization`: `RMSNormalization` of a sum. */
import { rootNormalized, skipped } from '../../families/layer-normalization.ts';
import { ofType } from '../../families/wide.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const skipSimplifiedLayerNormalization: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'SkipSimplifiedLayerNormalization',
  kernelSince: 1,
  convert: (context) => {
    const sum = skipped(context, 3);
    const { result, mean, inverse } = rootNormalized(context, sum, context.input(2));
    return [result, mean, inverse, ofType(context, sum, context.dtypeOf(context.input(0)))];
  },
};
