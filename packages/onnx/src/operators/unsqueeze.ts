/** `Unsqueeze`: inserts axes of size 1 at the places `axes` of the result. */
import { MAX_RANK } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const unsqueeze: OnnxImporter = {
  opType: 'Unsqueeze',
  convert: (context) => {
    const given = context.version < 13 ? context.attributes.ints('axes') : context.ints(1);
    if (context.hasFailed()) return undefined;
    if (given === undefined) return context.fail('ONNX_ATTRIBUTE', 'expected axes');
    const rank = context.dimsOf(context.input(0)).length + given.length;
    if (rank > MAX_RANK)
      return context.fail('ONNX_RANK', `expected at most ${MAX_RANK} dimensions, found ${rank}`);
    const axes = given.map((axis) => context.axis(axis, rank)).sort((a, b) => a - b);
    if (new Set(axes).size < axes.length) {
      return context.fail('ONNX_AXIS', `expected different axes, found ${given.join(', ')}`);
    }
    let result = context.input(0);
    for (let i = 0; i < axes.length && !context.hasFailed(); ) {
      // Adjacent axes are inserted together.
      const axis = axes[i] ?? 0;
      let count = 1;
      while (axes[i + count] === axis + count) count++;
      result = context.call('expand_dims', [result], { axis, num_newaxis: count });
      i += count;
    }
    return result;
  },
};
