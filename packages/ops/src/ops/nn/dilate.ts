import { addDims, type Dim, isAnyDim, multiplyDims, tensorType } from '@baton/ir';
import { full, rowMajorStrides, shapeSize, tensor } from '@baton/tensor';
import { float, list, positiveInt } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr } from '../../diagnostics.ts';
import { f32, i32 } from '../../example-types.ts';
import { copyInto } from '../../kernels/copy.ts';
import { ofTensor, report } from '../../relation/known.ts';

export const dilate = defineOp({
  name: 'nn.dilate',
  doc: 'The data with `dilation_value` inserted between its elements, which are then `strides` apart.',
  source: 'operators §6; Relay v0.14 nn.dilate',
  attrs: attrs({ strides: list(positiveInt), dilation_value: withDefault(float, 0) }),
  relation: ofTensor((data, { strides }, context) => {
    const rank = data.shape.length;
    if (strides.length !== rank) {
      const message = `expected ${rank} strides, found ${strides.length}`;
      return report(context, badAttr('strides', message));
    }
    const dims = data.shape.map((dim, i) => dilatedDim(dim, strides[i] ?? 1));
    return tensorType(dims, data.dtype);
  }),
  kernel: (args, { strides, dilation_value: value }, out) => {
    const data = args.tensor(0);
    const shape = out.shape;
    const cells = out.take(data.dtype, shapeSize(shape));
    cells.fill(full([], data.dtype, value).data[0] as never);
    const steps = rowMajorStrides(shape).map((step, i) => step * (strides[i] ?? 1));
    if (cells.length > 0) copyInto(data, cells, 0, steps);
    return tensor(cells, shape, data.dtype);
  },
  kind: 'movement',
  gradient: ({ g, attrs: { strides }, resultSizes, op }) => [
    op('strided_slice', [g], {
      begin: resultSizes().map(() => 0),
      end: [...resultSizes()],
      strides: [...strides],
    }),
  ],
  relayText: { record: 'relay.attrs.DilateAttrs' },
  examples: [
    { args: [f32(2, 3)], attrs: { strides: [1, 2] }, result: f32(2, 5) },
    { args: [i32(4)], attrs: { strides: [3], dilation_value: -1 }, result: i32(10) },
  ],
});

/** (d − 1) · stride + 1; without elements there are no gaps. */
function dilatedDim(dim: Dim, stride: number): Dim {
  if (isAnyDim(dim) || dim === 0) return dim;
  return addDims(multiplyDims(addDims(dim, -1), stride), 1);
}
