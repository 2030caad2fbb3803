/** `Gelu`: x/2 · (1 + erf(x/√2)), or its approximation by tanh. */
import type { Expr } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

export const gelu: OnnxOperator = {
  opType: 'Gelu',
  versions: [20],
  inputs: [1, 1],
  attributes: { approximate: 'string' },
  convert: (context) => {
    const x = context.input(0);
    const times = (a: Expr, b: Expr | number): Expr => context.call('multiply', [a, b]);
    const approximate = context.attributes.string('approximate', 'none');
    if (approximate !== 'none' && approximate !== 'tanh') {
      return context.fail('ONNX_ATTRIBUTE', 'expected approximate none or tanh');
    }
    // √(2/π) · (x + 0.044715 x³).
    const cube = times(times(x, times(x, x)), 0.044715);
    const bent =
      approximate === 'tanh'
        ? context.call('tanh', [times(context.call('add', [x, cube]), Math.sqrt(2 / Math.PI))])
        : context.call('erf', [times(x, Math.SQRT1_2)]);
    return times(times(x, 0.5), context.call('add', [bent, 1]));
  },
};
