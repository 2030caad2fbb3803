/** `stack`: each tensor gets the new axis. */
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const stack: OnnxWriter = {
  op: 'stack',
  write: (context) => {
    const axis = context.attrs.int('axis');
    const parts = context.fields(0).map((part) => context.call('expand_dims', [part], { axis }));
    return context.node('Concat', parts, { axis: int(axis) });
  },
};
