/**
 * `BatchNormalization` with given statistics, or in training with those of the batch, which the
 * running ones follow.
 */
import type { Expr } from '@baton/ir';
import { ofType, widened } from '../families/wide.ts';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const batchNormalization: OnnxImporter = {
  opType: 'BatchNormalization',
  since: 7,
  convert: (context) => {
    const { attributes } = context;
    if (attributes.int('spatial') !== 1) {
      return context.fail('ONNX_UNSUPPORTED', 'statistics of each activation are not imported');
    }
    const [x, scale, bias] = [0, 1, 2].map((index) => context.input(index)) as [Expr, Expr, Expr];
    const running = [3, 4].map((index) => context.input(index));
    const normalized = (inputs: ReadonlyArray<Expr>): Expr =>
      context.field(context.call('nn.batch_norm', inputs, { axis: 1, epsilon }), 0);
    // ONNX's default is 1e-5 as a float32.
    const epsilon = attributes.float('epsilon');
    if (attributes.int('training_mode') === 0) {
      return inOneType(context, [x, scale, bias, ...running], normalized);
    }
    const data = widened(context, x);
    const found = statisticsOf(context, data);
    const momentum = attributes.float('momentum');
    const { call } = context;
    const followed = found.map((now, i) => {
      const before = running[i] as Expr;
      const dtype = context.dtypeOf(now);
      const kept = call('multiply', [ofType(context, before, dtype), momentum]);
      const sum = call('add', [kept, call('multiply', [now, 1 - momentum])]);
      return ofType(context, sum, context.dtypeOf(before));
    });
    const result = inOneType(context, [data, scale, bias, ...found], normalized);
    return [ofType(context, result, context.dtypeOf(x)), ...followed];
  },
};

/** A call whose arguments need one type, here the widest of theirs. The result has the first's. */
function inOneType(
  context: NodeContext,
  inputs: ReadonlyArray<Expr>,
  of: (inputs: ReadonlyArray<Expr>) => Expr,
): Expr {
  const dtypes = inputs.map(context.dtypeOf);
  const [first = 'float32'] = dtypes;
  if (dtypes.every((dtype) => dtype === first)) return of(inputs);
  const widest = dtypes.includes('float64') ? 'float64' : 'float32';
  const result = of(inputs.map((input) => ofType(context, input, widest)));
  return ofType(context, result, first);
}

/** The mean and the variance of each channel of a batch, by the number of its elements. */
function statisticsOf({ call }: NodeContext, x: Expr): readonly [mean: Expr, variance: Expr] {
  const others = { axis: [1], exclude: true };
  const mean = call('mean', [x], others);
  const centred = call('subtract', [x, call('mean', [x], { ...others, keepdims: true })]);
  return [mean, call('mean', [call('multiply', [centred, centred])], others)];
}
