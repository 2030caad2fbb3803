/** Losses by the likelihood of the targets' classes. */
import type { Expr } from '@baton/ir';
import type { Converted, NodeContext } from '../operator-api/importer.ts';

/** An index that no class has: nothing is ignored. */
const NOTHING = -(2 ** 31);

/** The loss of predicted logarithms of probabilities, with the targets and weights of the node. */
export function likelihoodLoss(context: NodeContext, predictions: Expr): Converted {
  const [, classes] = context.dimsOf(predictions);
  const reduction = context.attributes.string('reduction');
  if (context.hasFailed()) return undefined;
  if (typeof classes !== 'number') return context.unknown('expected a known number of classes');
  const dtype = context.dtypeOf(predictions);
  const one = context.scalar(1, dtype);
  const weights = context.optional(2) ?? context.call('full', [one], { shape: [classes], dtype });
  const ignore_index = context.attributes.int('ignore_index', NOTHING);
  const targets = context.input(1);
  return context.call('nn.nll_loss', [predictions, targets, weights], { reduction, ignore_index });
}
