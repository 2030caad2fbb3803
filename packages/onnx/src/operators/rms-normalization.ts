/** `RMSNormalization` over the axes from `axis` on. */
import { rootNormalized } from '../families/layer-normalization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const rmsNormalization: OnnxImporter = {
  opType: 'RMSNormalization',
  convert: (context) => {
    const x = context.input(0);
    const first = context.axis(context.attributes.int('axis'), context.dimsOf(x).length);
    if (context.hasFailed()) return undefined;
    return rootNormalized(context, x, context.input(1), first).result;
  },
};
