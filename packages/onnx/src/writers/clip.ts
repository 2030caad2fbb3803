/** `clip`: its bounds became inputs, in the dtype of the data as the kernel takes them. */
import { formOf, standardOps } from '@baton/ops';
import { scalar } from '@baton/tensor';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const clip: OnnxExporter = {
  op: 'clip',
  write: (context) => {
    const x = context.input(0);
    const dtype = context.dtype(x);
    const form = formOf(standardOps, 'clip', 'Map');
    const bounds = form?.numbers?.(context.attrs.all, dtype) ?? [];
    return context.node('Clip', [
      x,
      ...bounds.map((bound) => context.constant(scalar(bound, dtype))),
    ]);
  },
};
