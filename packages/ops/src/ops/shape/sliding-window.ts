import { addDims, anyDim, type Dim, isStaticDim, tensorType } from '@baton/ir';
import { rowMajorStrides } from '@baton/tensor';
import { int, list, positiveInt } from '../../attrs/codecs.ts';
import { attrs } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { badAttr, badExtent } from '../../diagnostics.ts';
import { f32 } from '../../example-types.ts';
import { fromPlaces } from '../../kernels/index-map.ts';
import { normalAxis, ofTensor, report } from '../../relation/known.ts';

export const slidingWindow = defineOp({
  name: 'sliding_window',
  doc: 'Sliding windows over the axes from `axis` on: axes of the positions, then axes of the windows.',
  source: 'operators §4; Relay v0.14 sliding_window',
  attrs: attrs({ axis: int, window_shape: list(positiveInt), strides: list(positiveInt) }),
  relation: ofTensor((data, attrs, context) => {
    const { window_shape: window, strides } = attrs;
    const axis = normalAxis(attrs.axis, data.shape.length, context);
    if (axis === undefined) return undefined;
    const moved = data.shape.slice(axis);
    if (window.length !== moved.length || strides.length !== moved.length) {
      const message = `expected ${moved.length} sizes and strides, one for each axis from \`axis\` on`;
      return report(context, badAttr('window_shape', message));
    }
    const places: Dim[] = [];
    for (const [i, dim] of moved.entries()) {
      const [size = 1, stride = 1] = [window[i], strides[i]];
      if (isStaticDim(dim) && dim < size) {
        return report(context, badExtent(`axis ${axis + i}`, `it has no window of ${size}`));
      }
      places.push(
        isStaticDim(dim)
          ? Math.floor((dim - size) / stride) + 1
          : stride === 1
            ? addDims(dim, 1 - size)
            : anyDim,
      );
    }
    return tensorType([...data.shape.slice(0, axis), ...places, ...window], data.dtype);
  }),
  kernel: (args, { window_shape: window, strides }, out) => {
    const data = args.tensor(0);
    const axis = data.shape.length - window.length;
    const steps = rowMajorStrides(data.shape);
    return fromPlaces(data, out.shape, out, (index) =>
      steps.reduce((place, step, i) => {
        const at = index[i] as number;
        const moved = i - axis;
        const within = index[data.shape.length + moved] ?? 0;
        return place + step * (moved < 0 ? at : at * (strides[moved] ?? 1) + within);
      }, 0),
    );
  },
  kind: 'movement',
  examples: [
    {
      args: [f32(2, 5, 6)],
      attrs: { axis: 1, window_shape: [2, 3], strides: [1, 2] },
      result: f32(2, 4, 2, 2, 3),
    },
    { args: [f32(7)], attrs: { axis: -1, window_shape: [3], strides: [2] }, result: f32(3, 3) },
  ],
});
