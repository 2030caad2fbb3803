/** `Shape`: a constant if the sizes are known at import. */
import { isStaticDim } from '@baton/ir';
import { tensor } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const shape: OnnxImporter = {
  opType: 'Shape',
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    // Like Python slices: negative places count from the end, and places outside are clamped.
    const start = context.attributes.int('start');
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
