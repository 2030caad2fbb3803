/** `AffineGrid` for images; the corners of the image or of its cells are at −1 and 1. */
import { fromNumbers } from '@baton/tensor';
import type { OnnxOperator } from '../node/operator.ts';

export const affineGrid: OnnxOperator = {
  opType: 'AffineGrid',
  versions: [20],
  inputs: [2, 2],
  attributes: { align_corners: 'int' },
  convert: (context) => {
    const size = context.ints(1);
    if (size === undefined) return undefined;
    if (size.length !== 4) return context.fail('ONNX_UNSUPPORTED', 'expected a grid of images');
    const [, , high = 1, wide = 1] = size;
    const theta = context.input(0);
    const isCorners = context.attributes.int('align_corners', 0) !== 0;
    // Between cells, places lie closer together by (n − 1) / n than between corners.
    const factors = [(wide - 1) / wide, (high - 1) / high, 1];
    const closer = fromNumbers(Float64Array.from(factors), [3], context.dtypeOf(theta));
    const map = isCorners ? theta : context.call('multiply', [theta, context.constant(closer)]);
    const grid = context.call('image.affine_grid', [map], { target_shape: [high, wide] });
    return context.call('transpose', [grid], { axes: [0, 2, 3, 1] });
  },
};
