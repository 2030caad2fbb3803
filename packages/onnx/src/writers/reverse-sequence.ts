/** `reverse_sequence`: the lengths are int64. */
import { formula } from '../forms/formula.ts';
import { castTo, fromFront } from '../forms/types.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const reverseSequence: OnnxExporter = formula('reverse_sequence', (context, x, lengths) => {
  const rank = context.dims(x).length;
  const axis = (name: string) => int(fromFront(context.attrs.int(name), rank));
  return context.node('ReverseSequence', [x, castTo(context, lengths, 'int64')], {
    time_axis: axis('seq_axis'),
    batch_axis: axis('batch_axis'),
  });
});
