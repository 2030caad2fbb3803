import type { Expr } from '@baton/ir';
import { poolAttributes } from '../families/pooling.ts';
import { WINDOW_ATTRIBUTES, windows } from '../families/spatial.ts';
import type { OnnxOperator } from '../import/operator.ts';

/** `LpPool`: the p-th root of the sum of p-th powers in each window; padding counts as 0. */
export const lpPool: OnnxOperator = {
  domain: '',
  opType: 'LpPool',
  versions: [2, 11, 18, 22],
  inputs: [1, 1],
  attributes: { ...WINDOW_ATTRIBUTES, ceil_mode: 'int', p: 'int' },
  needs: ['abs', 'power', 'multiply', 'nn.avg_pool2d'],
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const w = windows(context, dims);
    const p = context.attributes.int('p', 2);
    if (w === undefined) return undefined;
    if (p < 1) return context.fail('ONNX_ATTRIBUTE', `expected p of 1 or more, found ${p}`);
    const number = (value: number): Expr => context.scalar(value, context.dtypeOf(x));
    const roundsUp = context.attributes.int('ceil_mode', 0) !== 0;
    if (roundsUp) return context.fail('ONNX_UNSUPPORTED', 'ceil_mode of LpPool is not imported');
    const powers = context.call('power', [context.call('abs', [x]), number(p)]);
    const attrs = { ...poolAttributes(dims, w, false), count_include_pad: true };
    const mean = context.call(`nn.avg_pool${dims.length - 2}d`, [powers], attrs);
    const cells = w.kernel.reduce((a, b) => a * b, 1);
    const sum = context.call('multiply', [mean, number(cells)]);
    return context.call('power', [sum, number(1 / p)]);
  },
};
