/** `ReduceLogSumExp`: log Σ eˣ, with the greatest element factored out against overflow. */
import { dtypeInfo } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const reduceLogSumExp: OnnxImporter = {
  opType: 'ReduceLogSumExp',
  convert: (context) => {
    const x = context.input(0);
    const { attributes } = context;
    const dims = context.dimsOf(x);
    const given = context.version >= 18 ? context.ints(1) : attributes.ints('axes');
    if (context.hasFailed()) return undefined;
    const isEmpty = given === undefined || given.length === 0;
    if (isEmpty && attributes.int('noop_with_empty_axes') !== 0) return x;
    const axes = (isEmpty ? dims.map((_, i) => i) : given).map((a) => context.axis(a, dims.length));
    const keepdims = attributes.int('keepdims') !== 0;
    if (context.hasFailed()) return undefined;
    if (axes.some((axis) => dims[axis] === 0) || axes.length === 0) {
      // An empty axis has no greatest element.
      const sum = context.call('sum', [context.call('exp', [x])], { axis: axes, keepdims });
      return context.call('log', [sum]);
    }
    // Infinities are no factor: the difference of two is no number.
    const { max: most } = dtypeInfo(context.dtypeOf(x));
    const greatest = context.call('max', [x], { axis: axes, keepdims: true });
    const peak = context.call('clip', [greatest], { a_min: -most, a_max: most });
    const powers = context.call('exp', [context.call('subtract', [x, peak])]);
    const sum = context.call('sum', [powers], { axis: axes, keepdims: true });
    const result = context.call('add', [context.call('log', [sum]), peak]);
    return keepdims ? result : context.call('squeeze', [result], { axis: axes });
  },
};
