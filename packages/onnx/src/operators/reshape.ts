/** `Reshape`. */
import { isStaticDim } from '@baton/ir';
import { noteEqualCounts, reshapedTo, sizesOfInput } from '../families/sized.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reshape: OnnxImporter = {
  opType: 'Reshape',
  since: 5,
  convert: (context) => {
    const sizes = sizesOfInput(context, 1);
    if (sizes === undefined) return undefined;
    const x = context.input(0);
    const newshape = sizes.filter(isStaticDim);
    // Below −1 Relay has codes of its own, which ONNX does not have.
    const bad = newshape.find((dim) => dim < -1);
    if (bad !== undefined) {
      return context.fail('ONNX_SHAPE', `expected sizes of at least -1, found ${bad}`);
    }
    const allowzero = context.attributes.int('allowzero') === 0 ? 0 : 1;
    noteEqualCounts(context, x, sizes, allowzero);
    return newshape.length === sizes.length
      ? context.call('reshape', [x], { newshape, allowzero })
      : reshapedTo(context, x, sizes, context.input(1), allowzero);
  },
};
