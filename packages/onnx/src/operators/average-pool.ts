import { poolAttributes } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES } from '../families/spatial.ts';
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
    const countsPadding = context.attributes.int('count_include_pad', 0) !== 0;
    const attrs = poolAttributes(context, dims, countsPadding);
    if (attrs === undefined) return undefined;
    return context.call(`nn.avg_pool${dims.length - 2}d`, [context.input(0)], {
      ...attrs,
      count_include_pad: countsPadding,
    });
  },
};
