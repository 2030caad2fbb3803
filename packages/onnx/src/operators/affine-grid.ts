/** `AffineGrid` of images and volumes; the corners of the data or of its cells are at −1 and 1. */
import type { Expr } from '@baton/ir';
import { fromNumbers, shapeSize } from '@baton/tensor';
import { matrixProduct } from '../families/matrix-product.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const affineGrid: OnnxImporter = {
  opType: 'AffineGrid',
  convert: (context) => {
    const size = context.ints(1);
    if (size === undefined) return undefined;
    const isCorners = context.attributes.int('align_corners') !== 0;
    const lengths = size.slice(2);
    if (lengths.length === 3) return ofVolume(context, lengths, isCorners);
    if (size.length !== 4) return context.fail('ONNX_UNSUPPORTED', 'expected images or volumes');
    const [high = 1, wide = 1] = lengths;
    const theta = context.input(0);
    // Between cells, places lie closer together by (n − 1) / n than between corners.
    const factors = [(wide - 1) / wide, (high - 1) / high, 1];
    const closer = fromNumbers(Float64Array.from(factors), [3], context.dtypeOf(theta));
    const map = isCorners ? theta : context.call('multiply', [theta, context.constant(closer)]);
    const grid = context.call('image.affine_grid', [map], { target_shape: [high, wide] });
    return context.call('transpose', [grid], { axes: [0, 2, 3, 1] });
  },
};

/** The most places of a volume: each is four constants. */
const MAX_PLACES = 2 ** 18;

/** The places of a volume, mapped: columns are x, y and z. */
function ofVolume(
  context: NodeContext,
  lengths: ReadonlyArray<number>,
  isCorners: boolean,
): Expr | undefined {
  const theta = context.input(0);
  const count = shapeSize(lengths);
  if (lengths.some((length) => length < 1) || count > MAX_PLACES) {
    return context.fail('ONNX_UNSUPPORTED', `expected at most ${MAX_PLACES} places, not ${count}`);
  }
  const [, high = 1, wide = 1] = lengths;
  const [deep = 1] = lengths;
  const at = (i: number, length: number): number =>
    isCorners ? (2 * i) / Math.max(length - 1, 1) - 1 : (2 * i + 1) / length - 1;
  const places = Float64Array.from({ length: 4 * count }, (_, k) => {
    const i = Math.floor(k / 4);
    const place = [
      at(i % wide, wide),
      at(Math.floor(i / wide) % high, high),
      at(Math.floor(i / (wide * high)), deep),
      1,
    ];
    return place[k % 4] ?? 0;
  });
  const base = context.constant(fromNumbers(places, [count, 4], context.dtypeOf(theta)));
  const turned = context.call('transpose', [theta], { axes: [0, 2, 1] });
  const mapped = matrixProduct(context, base, turned);
  return mapped && context.call('reshape', [mapped], { newshape: [-1, ...lengths, 3] });
}
