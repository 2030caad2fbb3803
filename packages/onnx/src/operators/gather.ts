/** `Gather`: slices along one axis; negative indices count from the end. */
import type { Expr } from '@baton/ir';
import { isBig, tensor, toNumbers } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const gather: OnnxImporter = {
  opType: 'Gather',
  convert: (context) => {
    const [x, indices] = [context.input(0), context.input(1)];
    const dims = context.dimsOf(x);
    const axis = context.axis(context.attributes.int('axis'), dims.length);
    if (context.hasFailed()) return undefined;
    const size = dims[axis];
    const known = typeof size === 'number' ? positiveIndices(context, indices, size) : undefined;
    if (context.hasFailed()) return undefined;
    // Of indices known only at run time the file promises that they are within the axis or count from its end.
    if (known === undefined) return context.call('take', [x, indices], { axis, mode: 'fast' });
    return context.call('take', [x, known], { axis, mode: 'clip' });
  },
};

/** Constant indices counted from the front; ones out of range are a failure. */
function positiveIndices(context: NodeContext, indices: Expr, size: number): Expr | undefined {
  const value = context.valueOf(indices);
  if (value === undefined) return undefined;
  const numbers = Array.from(toNumbers(value));
  const outside = numbers.find((index) => index < -size || index >= size);
  if (outside !== undefined) {
    return context.fail('ONNX_INDEX', `expected indices below ${size}, found ${outside}`);
  }
  if (numbers.every((index) => index >= 0)) return indices;
  const positive = numbers.map((index) => (index < 0 ? index + size : index));
  const dtype = isBig(value.dtype) ? 'int64' : 'int32';
  return context.constant(tensor(positive, value.shape, dtype));
}
