/** `Hardmax`: 1 at the first greatest element along an axis, 0 elsewhere. */
import type { OnnxOperator } from '../node/operator.ts';

export const hardmax: OnnxOperator = {
  opType: 'Hardmax',
  versions: [13],
  inputs: [1, 1],
  attributes: { axis: 'int' },
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const axis = context.axis(context.attributes.int('axis', -1), dims.length);
    if (context.hasFailed()) return undefined;
    const depth = dims[axis];
    if (typeof depth !== 'number') {
      return context.unknown(`expected a known size of axis ${axis}`);
    }
    const dtype = context.dtypeOf(x);
    const place = context.call('argmax', [x], { axis });
    const [on, off] = [context.scalar(1, dtype), context.scalar(0, dtype)];
    return context.call('one_hot', [place, on, off], { depth, axis, dtype });
  },
};
