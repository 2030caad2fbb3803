/** `stack`: each tensor gets the new axis. */
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const stack: OnnxExporter = {
  op: 'stack',
  write: (context) => {
    const axis = context.attrs.int('axis');
    const parts = context.fields(0).map((part) => context.call('expand_dims', [part], { axis }));
    return context.node('Concat', parts, { axis: int(axis) });
  },
};
