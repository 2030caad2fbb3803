/** `concatenate` along one axis. */
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const concatenate: OnnxWriter = {
  op: 'concatenate',
  write: (context) =>
    context.node('Concat', context.fields(0), { axis: int(context.attrs.int('axis')) }),
};
