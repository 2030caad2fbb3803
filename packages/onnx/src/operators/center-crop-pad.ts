/** `CenterCropPad`: the middle of the data, or the data in the middle of zeros. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const centerCropPad: OnnxImporter = {
  opType: 'CenterCropPad',
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const sizes = context.ints(1);
    const given = context.attributes.ints('axes') ?? dims.map((_, axis) => axis);
    const axes = given.map((axis) => context.axis(axis, dims.length));
    if (sizes === undefined || context.hasFailed()) return undefined;
    const [begin, end] = [dims.map(() => 0), dims.map(() => Number.MAX_SAFE_INTEGER)];
    const pad_width = dims.map(() => [0, 0]);
    for (const [i, axis] of axes.entries()) {
      const [dim, size] = [dims[axis], sizes[i]];
      if (typeof dim !== 'number' || size === undefined) {
        return context.unknown('expected known sizes of what is cropped or padded');
      }
      const missing = size - dim;
      const before = Math.floor(Math.abs(missing) / 2);
      if (missing > 0) pad_width[axis] = [before, missing - before];
      else [begin[axis], end[axis]] = [before, before + size];
    }
    const cropped = context.call('strided_slice', [x], { begin, end });
    const zero = context.scalar(0, context.dtypeOf(x));
    return context.call('nn.pad', [cropped, zero], { pad_width });
  },
};
