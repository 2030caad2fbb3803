/** `variance`: the mean of squared differences. */

import type { Attrs } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { reducedAxes } from '../forms/reduction.ts';
import { inFloat32 } from '../forms/wide.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const variance: OnnxExporter = inFloat32(
  formula('variance', (context, x, mean) => {
    const { call } = context;
    const difference = call('subtract', [x, mean]);
    const { axis, keepdims, exclude, unbiased } = context.attrs.all as Attrs;
    const squares = call('multiply', [difference, difference]);
    const biased = call('mean', [squares], { axis, keepdims, exclude } as Attrs);
    if (unbiased !== true) return biased;
    const dims = context.dims(x);
    const axes = reducedAxes(context, x) ?? dims.map((_, i) => i);
    const count = axes.reduce((product, at) => product * Number(dims[at]), 1);
    return Number.isInteger(count)
      ? call('multiply', [biased, count / (count - 1)])
      : context.unknown('expected known sizes of the averaged axes');
  }),
);
