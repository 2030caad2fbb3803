import { type Dim, tensorType } from '@baton/ir';
import {
  allocate,
  fromNumbers,
  type Memory,
  shapeSize,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import { int, oneOf } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { perInputElement } from '../../cost.ts';
import { defineOp } from '../../define-op.ts';
import { f32, i64s } from '../../example-types.ts';
import { losesProducts } from '../../families/cross-entropy.ts';
import { finish, loadNumbers, numberBuffer } from '../../kernels/values.ts';
import { hasRankFrom, hasShape, inDomain, sameDType, tensorArg } from '../../relation/known.ts';
import { toldAsIs } from '../../relay-text.ts';

export const nllLoss = defineOp({
  name: 'nn.nll_loss',
  doc: 'The weighted negative predictions of the targets’ classes; the mean is weighted.',
  source: 'operators §7; PyTorch nll_loss',
  inputs: ['predictions', 'targets', 'weights'],
  attrs: attrs({
    reduction: withDefault(oneOf('mean', 'sum', 'none'), 'mean'),
    ignore_index: withDefault(int, -100),
  }),
  relation: (args, { reduction }, context) => {
    const predictions = tensorArg(args, 0, context);
    const targets = tensorArg(args, 1, context);
    const weights = tensorArg(args, 2, context);
    if (predictions === undefined || targets === undefined || weights === undefined) {
      return undefined;
    }
    const { shape, dtype } = predictions;
    if (!hasRankFrom(predictions, '`predictions`', 1, context)) return undefined;
    if (!inDomain(dtype, 'float', context) || !inDomain(targets.dtype, 'int', context)) {
      return undefined;
    }
    if (sameDType(dtype, weights.dtype, '`weights`', context) === undefined) return undefined;
    // (C) for one example, (N, C, d…) for many.
    const classes = shape[shape.length === 1 ? 0 : 1] as Dim;
    const rest: ReadonlyArray<Dim> = shape.length === 1 ? [] : [shape[0] as Dim, ...shape.slice(2)];
    const from = ['`predictions` without its classes', 'the classes of `predictions`'] as const;
    if (!hasShape(targets, '`targets`', rest, context, from[0])) return undefined;
    if (!hasShape(weights, '`weights`', [classes], context, from[1])) return undefined;
    return tensorType(reduction === 'none' ? targets.shape : [], dtype);
  },
  kernel: (args, { reduction, ignore_index: ignored }, out) => {
    const [predictions, targets] = [args.tensor(0), args.tensor(1)];
    const { losses, weight } = lossesOf(predictions, targets, args.tensor(2), ignored, out);
    if (reduction === 'none') {
      return fromNumbers(losses, targets.shape, predictions.dtype, out);
    }
    const value = numberBuffer(predictions.dtype, 1, out);
    const sum = losses.reduce((a, b) => a + b, 0);
    value[0] = reduction === 'sum' ? sum : sum / weight;
    return finish(value, [], predictions.dtype, out);
  },
  cost: perInputElement,
  // As in TVM: it fuses what follows.
  fusion: 'out_elemwise_fusable',
  ...losesProducts,
  // The weight of each class if the target is that class and counts, else 0.
  definition: ({ args: [p, targets, weights], attrs: given, rank, sizes, ...d }) => {
    const axis = rank(0) === 1 ? 0 : 1;
    const classes = sizes(2)[0] ?? 0;
    const hot = { depth: classes, axis, dtype: 'int64' };
    const [one, none] = [d.scalar(1, 'int64'), d.scalar(0, 'int64')];
    const wide = d.op('cast', [targets], { dtype: 'int64' });
    const counts = d.op('not_equal', [wide, d.scalar(given.ignore_index, 'int64')]);
    const own = d.op('one_hot', [wide, one, none], hot);
    const counted = d.op('cast_like', [counts, p]);
    const along = d.withAxes(
      weights,
      Array.from({ length: rank(0) - 1 - axis }, (_, i) => i + 1),
    );
    const weighted = d.times(d.op('cast_like', [own, p]), along);
    const share = d.times(weighted, d.withAxes(counted, [axis]));
    const losses = d.negative(d.sum(d.times(p, share), [axis]));
    if (given.reduction === 'none') return losses;
    const total = d.op('sum', [losses]);
    return given.reduction === 'sum' ? total : d.over(total, d.op('sum', [share]));
  },
  relayText: { told: toldAsIs('reduction', 'ignore_index') },
  examples: [
    { args: [f32(2, 3), i64s(0, 2), f32(3)], result: f32() },
    {
      args: [f32(1, 3, 2), fromNumbers([-100, 1], [1, 2], 'int32'), f32(3)],
      attrs: { reduction: 'none' },
      result: f32(1, 2),
    },
  ],
});

function lossesOf(
  predictions: Tensor,
  targets: Tensor,
  weights: Tensor,
  ignored: number,
  memory: Memory,
): { readonly losses: Float64Array; readonly weight: number } {
  const [data, share] = [loadNumbers(predictions, memory), loadNumbers(weights, memory)];
  const { shape } = predictions;
  const classes = share.length;
  // The elements of one example: the axes after the classes.
  const inner = shapeSize(shape.slice(2));
  let weight = 0;
  const numbers = toNumbers(targets, memory);
  const losses = allocate('float64', numbers.length, memory);
  numbers.forEach((target, i) => {
    if (target === ignored || target < 0 || target >= classes) return;
    const batch = Math.floor(i / inner);
    const own = share[target] as number;
    weight += own;
    const place = (batch * classes + target) * inner + (i % inner);
    losses[i] = -(data[place] as number) * own;
  });
  return { losses, weight };
}
