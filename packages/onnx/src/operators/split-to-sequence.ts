/** `SplitToSequence`: the parts of a tensor along an axis, by default one for each place. */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const splitToSequence: OnnxImporter = {
  opType: 'SplitToSequence',
  convert: (context) => {
    const { attributes, call } = context;
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const axis = context.axis(attributes.int('axis'), dims.length);
    const size = dims[axis];
    if (context.hasFailed()) return undefined;
    if (typeof size !== 'number') {
      return context.unknown('expected a known size of the axis to split');
    }
    const sizes = sizesOf(context, size);
    if (sizes === undefined) return undefined;
    const isSqueezed = context.optional(1) === undefined && attributes.int('keepdims') === 0;
    const part = (from: number, count: number): Expr => {
      const [begin, end] = [[from], [from + count]];
      const kept = call('strided_slice', [x], { begin, end, axes: [axis] });
      return isSqueezed ? call('squeeze', [kept], { axis: [axis] }) : kept;
    };
    let end = 0;
    const parts = sizes.map((count) => {
      end += count;
      return part(end - count, count);
    });
    return context.tuple(parts);
  },
};

/** The most parts: each is a call. */
const MAX_PARTS = 2 ** 12;

/** The sizes of the parts: one for all but the last, or one for each. */
function sizesOf(context: NodeContext, size: number): ReadonlyArray<number> | undefined {
  const split = context.optional(1);
  const given = split === undefined ? [1] : context.ints(1);
  if (given === undefined) return undefined;
  const isList = split !== undefined && context.dimsOf(split).length > 0;
  const [each = 1] = given;
  if ((isList ? given.length : size / each) > MAX_PARTS) {
    return context.fail('ONNX_UNSUPPORTED', `expected at most ${MAX_PARTS} parts`);
  }
  const sizes = isList
    ? given
    : Array.from({ length: Math.ceil(size / each) }, (_, i) => Math.min(each, size - i * each));
  const sum = sizes.reduce((all, one) => all + one, 0);
  if ((isList || each > 0) && sum === size && sizes.every((one) => one >= 0)) return sizes;
  return context.fail('ONNX_INPUTS', `expected sizes that make up an axis of ${size}`);
}
