/** `AveragePool`: the mean of each window. */
import { pooledMean } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES, windows } from '../families/spatial.ts';
import type { OnnxOperator } from '../node/operator.ts';

export const averagePool: OnnxOperator = {
  opType: 'AveragePool',
  versions: [1, 7, 10, 11, 19, 22],
  inputs: [1, 1],
  attributes: { ...WINDOW_ATTRIBUTES, ceil_mode: 'int', count_include_pad: 'int' },
  convert: (context) => {
    const w = windows(context, context.dimsOf(context.input(0)));
    if (w === undefined) return undefined;
    const countsPadding = context.attributes.int('count_include_pad', 0) !== 0;
    const roundsUp = context.attributes.int('ceil_mode', 0) !== 0;
    return pooledMean(context, w, roundsUp, countsPadding);
  },
};
