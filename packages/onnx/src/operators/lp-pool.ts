/** `LpPool`: the p-th root of the sum of p-th powers in each window; padding counts as 0. */
import { pooledSum } from '../families/pooling.ts';
import { windowed } from '../families/spatial.ts';
import { inWide } from '../families/wide.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const lpPool: OnnxImporter = {
  opType: 'LpPool',
  since: 2,
  kernelSince: 2,
  convert: (context) => {
    const over = windowed(context, context.input(0), 0);
    const p = context.attributes.int('p');
    if (over === undefined) return undefined;
    const { x, w, isPadded } = over;
    if (p < 1) return context.fail('ONNX_ATTRIBUTE', `expected p of 1 or more, found ${p}`);
    const roundsUp = !isPadded && context.attributes.int('ceil_mode') !== 0;
    return inWide(context, x, (data) => {
      const powers = context.call('power', [context.call('abs', [data]), p]);
      const sum = pooledSum(context, powers, w, roundsUp);
      return context.call('power', [sum, 1 / p]);
    });
  },
};
