/** `ConstantOfShape`: one value everywhere, or weights that the caller supplies. */
import { isStaticDim } from '@baton/ir';
import { shapeSize, tensor } from '@baton/tensor';
import { sizesOfInput } from '../families/sized.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const constantOfShape: OnnxImporter = {
  opType: 'ConstantOfShape',
  convert: (context) => {
    const sizes = sizesOfInput(context, 0);
    const proto = context.attributes.tensor('value');
    const value = proto === undefined ? tensor([0], [], 'float32') : context.tensor(proto);
    if (sizes === undefined || value === undefined) return undefined;
    if (shapeSize(value.shape) !== 1) {
      return context.fail('ONNX_ATTRIBUTE', 'expected attribute value of one element');
    }
    const shape = sizes.filter(isStaticDim);
    if (shape.length < sizes.length) {
      const one = context.constant(value);
      const isScalar = value.shape.length === 0;
      const fill = isScalar ? one : context.call('reshape', [one], { newshape: [] });
      return context.call('dyn.full', [fill, context.input(0)], { dtype: value.dtype });
    }
    const filled = context.filled(context.outputName(0), shape, value);
    return filled === undefined ? undefined : context.constant(filled);
  },
};
