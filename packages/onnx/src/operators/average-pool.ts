import type { Dim, Expr } from '@baton/ir';
import { poolAttributes, reachesBeyond } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES, type Windows, windows } from '../families/spatial.ts';
import type { NodeContext, OnnxOperator } from '../import/operator.ts';

/** `AveragePool`. */
export const averagePool: OnnxOperator = {
  domain: '',
  opType: 'AveragePool',
  versions: [1, 7, 10, 11, 19, 22],
  inputs: [1, 1],
  attributes: { ...WINDOW_ATTRIBUTES, ceil_mode: 'int', count_include_pad: 'int' },
  needs: ['nn.avg_pool2d'],
  convert: (context) => {
    const dims = context.dimsOf(context.input(0));
    const w = windows(context, dims);
    if (w === undefined) return undefined;
    const countsPadding = context.attributes.int('count_include_pad', 0) !== 0;
    const roundsUp = context.attributes.int('ceil_mode', 0) !== 0;
    const op = `nn.avg_pool${dims.length - 2}d`;
    if (countsPadding && roundsUp && reachesBeyond(dims, w)) return padded(context, dims, w, op);
    return context.call(op, [context.input(0)], {
      ...poolAttributes(dims, w, roundsUp),
      count_include_pad: countsPadding,
    });
  },
};

/** The padding counts, and what a last window covers beyond it does not: so it becomes data. */
function padded(
  context: NodeContext,
  dims: ReadonlyArray<Dim>,
  w: Windows,
  op: string,
): Expr | undefined {
  const x = context.input(0);
  const rank = dims.length - 2;
  const around = w.kernel.map((_, axis) => [w.pads[axis] ?? 0, w.pads[rank + axis] ?? 0]);
  const zero = context.scalar(0, context.dtypeOf(x));
  const data = context.call('nn.pad', [x, zero], { pad_width: [[0, 0], [0, 0], ...around] });
  const bare = { ...w, pads: w.pads.map(() => 0) };
  return context.call(op, [data], poolAttributes(context.dimsOf(data), bare, true));
}
