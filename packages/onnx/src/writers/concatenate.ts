/** `concatenate` along one axis. */
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const concatenate: OnnxExporter = {
  op: 'concatenate',
  write: (context) =>
    context.node('Concat', context.fields(0), { axis: int(context.attrs.int('axis')) }),
};
