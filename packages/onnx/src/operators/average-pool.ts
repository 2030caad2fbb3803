/** `AveragePool`: the mean of each window. */
import { pooledMean } from '../families/pooling.ts';
import { padsAtRun, windowed } from '../families/spatial.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const averagePool: OnnxImporter = {
  opType: 'AveragePool',
  kernelSince: 1,
  kernelWhen: (context) => padsAtRun(context, context.dimsOf(context.input(0))),
  convert: (context) => {
    const given = context.input(0);
    const over = windowed(context, given, 0);
    if (over === undefined) return undefined;
    const { x, w, isPadded } = over;
    const countsPadding = context.attributes.int('count_include_pad') !== 0;
    if (!isPadded) {
      const roundsUp = context.attributes.int('ceil_mode') !== 0;
      return pooledMean(context, x, w, roundsUp, countsPadding);
    }
    const mean = pooledMean(context, x, w, false, true);
    if (countsPadding) return mean;
    const data = windowed(context, context.call('ones_like', [given]), 0)?.x;
    return data && context.call('divide', [mean, pooledMean(context, data, w, false, true)]);
  },
};
