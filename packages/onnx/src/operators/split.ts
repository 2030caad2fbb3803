/** `Split`: parts along an axis, of equal or given sizes. */
import type { Dim } from '@baton/ir';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const split: OnnxOperator = {
  opType: 'Split',
  versions: [2, 11, 13, 18],
  inputs: [1, 2],
  attributes: { axis: 'int', split: 'ints', num_outputs: 'int' },
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const axis = context.axis(context.attributes.int('axis', 0), dims.length);
    const given = context.version < 13 ? context.attributes.ints('split') : context.ints(1);
    if (context.hasFailed()) return undefined;
    const sizes = given ?? equalSizes(context, dims[axis]);
    if (sizes === undefined) return undefined;
    if (sizes.length === 1) return [x];
    let end = 0;
    const ends = sizes.map((size) => {
      end += size;
      return end;
    });
    const isWhole = typeof dims[axis] !== 'number' || ends[ends.length - 1] === dims[axis];
    if (sizes.some((size) => size < 0) || !isWhole) {
      return context.fail('ONNX_INPUTS', `expected sizes that make up axis ${axis}`);
    }
    if (!sizes.includes(0)) {
      const cuts = { indices_or_sections: ends.slice(0, -1), axis };
      const parts = context.call('split', [x], cuts);
      return sizes.map((_, i) => context.field(parts, i));
    }
    // `split` has no empty parts.
    return ends.map((to, i) => {
      const begin = [to - (sizes[i] ?? 0)];
      return context.call('strided_slice', [x], { begin, end: [to], strides: [1], axes: [axis] });
    });
  },
};

/** Parts of equal sizes; the last one is smaller if they do not divide the axis. */
function equalSizes(context: NodeContext, dim: Dim | undefined): ReadonlyArray<number> | undefined {
  const count = context.attributes.int('num_outputs', context.outputCount);
  if (typeof dim !== 'number') return unknownSize(context);
  const part = Math.ceil(dim / count);
  if (count < 1 || count !== context.outputCount || part * (count - 1) > dim) {
    return context.fail('ONNX_ATTRIBUTE', `expected parts of an axis of ${dim}, found ${count}`);
  }
  return Array.from({ length: count }, (_, i) => Math.min(part, dim - i * part));
}

const unknownSize = (context: NodeContext): undefined =>
  context.unknown('expected a known size of the axis to split');
