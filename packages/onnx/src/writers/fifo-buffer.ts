/** `nn.fifo_buffer`: the end of the buffer and the data together. */
import { formula } from '../forms/formula.ts';
import { fromFront } from '../forms/types.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const fifoBuffer: OnnxExporter = formula('nn.fifo_buffer', (context, data, buffer) => {
  const [added, kept] = [context.shape(data), context.shape(buffer)];
  if (added === undefined || kept === undefined) return undefined;
  const axis = fromFront(context.attrs.int('axis'), added.length);
  const all = context.call('concatenate', [[buffer, data]], { axis });
  const begin = [added[axis] ?? 0];
  const end = [(added[axis] ?? 0) + (kept[axis] ?? 0)];
  return context.call('strided_slice', [all], { begin, end, axes: [axis] });
});
