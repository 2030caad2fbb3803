/**
 * `BatchNormalization` with given statistics, or in training with those of the batch, which the
 * running ones follow.
 */
import type { Expr } from '@baton/ir';
import type { NodeContext, OnnxOperator } from '../node/operator.ts';

export const batchNormalization: OnnxOperator = {
  opType: 'BatchNormalization',
  versions: [7, 9, 14, 15],
  inputs: [5, 5],
  attributes: { epsilon: 'float', momentum: 'float', spatial: 'int', training_mode: 'int' },
  convert: (context) => {
    const { attributes } = context;
    if (attributes.int('spatial', 1) !== 1) {
      return context.fail('ONNX_UNSUPPORTED', 'statistics of each activation are not imported');
    }
    const [x, scale, bias] = [0, 1, 2].map((index) => context.input(index)) as [Expr, Expr, Expr];
    const running = [3, 4].map((index) => context.input(index));
    const normalized = (statistics: ReadonlyArray<Expr>): Expr => {
      const inputs = [x, scale, bias, ...statistics];
      return context.field(context.call('nn.batch_norm', inputs, { axis: 1, epsilon }), 0);
    };
    // ONNX's default is 1e-5 as a float32.
    const epsilon = attributes.float('epsilon', Math.fround(1e-5));
    if (attributes.int('training_mode', 0) === 0) return normalized(running);
    const found = statisticsOf(context, x);
    const momentum = attributes.float('momentum', Math.fround(0.9));
    const { call } = context;
    const followed = found.map((now, i) =>
      call('add', [
        call('multiply', [running[i] as Expr, momentum]),
        call('multiply', [now, 1 - momentum]),
      ]),
    );
    return [normalized(found), ...followed];
  },
};

/** The mean and the variance of each channel of a batch, by the number of its elements. */
function statisticsOf({ call }: NodeContext, x: Expr): readonly [mean: Expr, variance: Expr] {
  const others = { axis: [1], exclude: true };
  const mean = call('mean', [x], others);
  const centred = call('subtract', [x, call('mean', [x], { ...others, keepdims: true })]);
  return [mean, call('mean', [call('multiply', [centred, centred])], others)];
}
