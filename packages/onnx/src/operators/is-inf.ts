/** `IsInf`: infinities of both signs or of one. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const isInf: OnnxImporter = {
  opType: 'IsInf',
  convert: (context) => {
    const x = context.input(0);
    const isInfinite = context.call('isinf', [x]);
    const negative = context.attributes.int('detect_negative') !== 0;
    const positive = context.attributes.int('detect_positive') !== 0;
    if (negative && positive) return isInfinite;
    if (!negative && !positive) return context.call('zeros_like', [isInfinite]);
    const hasSign = context.call(negative ? 'less' : 'greater', [x, 0]);
    return context.call('logical_and', [isInfinite, hasSign]);
  },
};
