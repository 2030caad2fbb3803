import { type Dim, tensorType } from '@baton/ir';
import { reshapeView, transposeView } from '@baton/tensor';
import { list, oneOf, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { elementCount } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import {
  SPARSE_INPUTS,
  someBlocks,
  someElements,
  sparseArg,
  sparseType,
} from '../../families/sparse.ts';
import { sparseDense } from '../../kernels/sparse.ts';
import { windowsOf } from '../../kernels/windows.ts';
import { layoutDims, parseLayout, plainDims } from '../../layout/layout.ts';
import { fromPlain, toPlain } from '../../layout/transform.ts';
import { hasRank, report, sameDType, tensorArg } from '../../relation/known.ts';

export const sparseConv2d = defineOp({
  name: 'nn.sparse_conv2d',
  doc: 'A convolution whose weight is a sparse matrix with one output per row: 1 by 1, or 3 by 3 with a padding of 1.',
  source: 'operators §5; Relay v0.14 nn.sparse_conv2d',
  inputs: ['dense_data', ...SPARSE_INPUTS],
  attrs: attrs({
    layout: withDefault(oneOf('NHWC', 'NCHW'), 'NHWC'),
    kernel_size: withDefault(list(positiveInt, [2]), [1, 1]),
  }),
  relation: (args, { layout, kernel_size: size }, context) => {
    if (size[0] !== size[1] || (size[0] !== 1 && size[0] !== 3)) {
      return report(context, badAttr('kernel_size', 'expected 1 by 1 or 3 by 3'));
    }
    const dense = tensorArg(args, 0, context);
    const sparse = sparseType(args, 1, [1, 2, 3], context);
    if (dense === undefined || sparse === undefined) return undefined;
    if (!hasRank(dense, '`dense_data`', [4], context)) return undefined;
    const { data, rows } = sparse;
    if (sameDType(dense.dtype, data.dtype, '`sparse_data`', context) === undefined) {
      return undefined;
    }
    const axes = parseLayout(layout) ?? [];
    const [batch, , ...places] = plainDims(dense.shape, axes, 'NCHW');
    const shape = layoutDims([batch as Dim, rows, ...places], 'NCHW', axes);
    return shape && tensorType(shape, dense.dtype);
  },
  kernel: (args, { layout, kernel_size: [side = 1] }, out) => {
    const image = toPlain(args.tensor(0), layout, 'NCHW', out);
    const [batch = 0, , height = 0, width = 0] = image.shape;
    // The columns of the weight follow the layout.
    const windows = windowsOf(image, side, layout === 'NHWC', out);
    const rows = out.shape[layout.indexOf('C')] ?? 0;
    const product = sparseDense(windows, sparseArg(args, 1), rows, false, out);
    const placed = reshapeView(product, [batch, height, width, rows], out);
    return fromPlain(transposeView(placed, [0, 3, 1, 2]), 'NCHW', layout, out);
  },
  cost: ([dense, data], _result, { layout }) => {
    if (dense?._tag !== 'TensorType' || '_tag' in dense.shape || data === undefined) return 0;
    const channels = Number(dense.shape[layout.indexOf('C')] ?? 1);
    return (2 * elementCount(data) * elementCount(dense)) / Math.max(channels, 1);
  },
  kind: 'product',
  precision: 'follow',
  examples: [
    { args: [f32(1, 3, 2, 6), f32(3, 2, 3), ...someBlocks], result: f32(1, 3, 2, 4) },
    {
      args: [f32(2, 4, 3, 2), f32(5), ...someElements],
      attrs: { layout: 'NCHW' },
      result: f32(2, 4, 3, 2),
    },
    {
      args: [f32(1, 4, 3, 2), f32(3, 2, 3), ...someBlocks],
      attrs: { kernel_size: [3, 3] },
      result: f32(1, 4, 3, 4),
    },
  ],
});
