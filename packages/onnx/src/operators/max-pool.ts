import { poolAttributes } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES, windows } from '../families/spatial.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `MaxPool` without the indices of the maxima. */
export const maxPool: OnnxOperator = {
  domain: '',
  opType: 'MaxPool',
  versions: [1, 8, 10, 11, 12, 22],
  inputs: [1, 1],
  attributes: { ...WINDOW_ATTRIBUTES, ceil_mode: 'int', storage_order: 'int' },
  needs: ['nn.max_pool2d'],
  convert: (context) => {
    const dims = context.dimsOf(context.input(0));
    const w = windows(context, dims);
    if (w === undefined) return undefined;
    const attrs = poolAttributes(dims, w, context.attributes.int('ceil_mode', 0) !== 0);
    return context.call(`nn.max_pool${dims.length - 2}d`, [context.input(0)], attrs);
  },
};
