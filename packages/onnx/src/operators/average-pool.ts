import { poolAttributes } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES, windows } from '../families/spatial.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `AveragePool`. */
export const averagePool: OnnxOperator = {
  domain: '',
  opType: 'AveragePool',
  versions: [1, 7, 10, 11, 19, 22],
  inputs: [1, 1],
  attributes: { ...WINDOW_ATTRIBUTES, ceil_mode: 'int', count_include_pad: 'int' },
  needs: ['nn.avg_pool2d'],
  convert: (context) => {
    const dims = context.dimsOf(context.input(0));
    const w = windows(context, dims);
    if (w === undefined) return undefined;
    const countsPadding = context.attributes.int('count_include_pad', 0) !== 0;
    const roundsUp = context.attributes.int('ceil_mode', 0) !== 0;
    const op = `nn.avg_pool${dims.length - 2}d`;
    return context.call(op, [context.input(0)], {
      ...poolAttributes(dims, w, roundsUp),
      count_include_pad: countsPadding,
    });
  },
};
