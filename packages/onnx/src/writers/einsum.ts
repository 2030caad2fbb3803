/** `einsum`. */
import { text } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const einsum: OnnxWriter = {
  op: 'einsum',
  write: (context) =>
    context.node('Einsum', context.fields(0), { equation: text(context.attrs.text('equation')) }),
};
