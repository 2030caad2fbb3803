import { isStaticDim } from '@baton/ir';
import { tensor } from '@baton/tensor';
import type { OnnxOperator } from '../node/operator.ts';

/** `Shape`: a constant where the sizes asked for are known at import. */
export const shape: OnnxOperator = {
  opType: 'Shape',
  versions: [1, 13, 15, 19, 21, 23, 24, 25],
  inputs: [1, 1],
  attributes: { start: 'int', end: 'int' },
  needs: [],
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    // As Python slices: negative counts from the end, and what lies outside is clamped.
    const start = context.attributes.int('start', 0);
    const end = context.attributes.int('end', dims.length);
    const sliced = dims.slice(start, end);
    const sizes = sliced.filter(isStaticDim);
    if (sizes.length === sliced.length) {
      return context.computed(tensor(sizes, [sizes.length], 'int64'));
    }
    const whole = context.call('shape_of', [x], { dtype: 'int64' });
    if (sliced.length === dims.length) return whole;
    const begin = start < 0 ? Math.max(0, start + dims.length) : start;
    return context.call('strided_slice', [whole], { begin: [begin], end: [begin + sliced.length] });
  },
};
