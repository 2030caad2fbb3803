/** Losses. */

import { type Expr, type TensorType, tensorType } from '@baton/ir';
import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { inFloat32 } from '../shared/element-types.ts';
import { asIndices } from '../shared/indices.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { expandDims, reshape } from '../shared/words.ts';

export const lossOperators: Chapter = [
  // `NegativeLogLikelihoodLoss` of predicted logarithms of probabilities.
  reads('NegativeLogLikelihoodLoss', (context) => likelihoodLoss(context, context.input(0)), {
    kernelSince: 12,
    kernelWhen: ({ dimsOf, input, optional }) =>
      optional(2) === undefined && typeof dimsOf(input(0))[1] !== 'number',
  }),
  reads('SoftmaxCrossEntropyLoss', readSoftmaxCrossEntropyLoss, { kernelSince: 12 }),
  inFloat32(
    writes('nn.cross_entropy', (context, [x, y]) =>
      crossEntropyOf(context, context.call('log', [x]), y),
    ),
  ),
  inFloat32(
    writes('nn.cross_entropy_with_logits', (context, [x, y]) => crossEntropyOf(context, x, y)),
  ),
  writes('nn.nll_loss', writeNllLoss),
];

function readSoftmaxCrossEntropyLoss(context: NodeContext): Converted {
  const logs = context.call('nn.log_softmax', [context.input(0)], { axis: 1 });
  const loss = likelihoodLoss(context, logs);
  return loss === undefined || !('_tag' in loss) ? undefined : [loss, logs];
}

function writeNllLoss(context: CallContext, [predictions, targets, weights]: Operands): Written {
  const { attrs } = context;
  const classes = asIndices(context, targets);
  const attributes = {
    reduction: text(attrs.text('reduction')),
    ignore_index: int(attrs.int('ignore_index')),
  };
  const node = (x: Operand, y: Operand, type: TensorType | undefined) =>
    context.node('NegativeLogLikelihoodLoss', [x, y, weights], attributes, type);
  const [type] = context.results;
  if (context.dims(predictions).length > 1) return node(predictions, classes, type);
  const one = (x: Operand) => expandDims(context, x, 0);
  const isList = attrs.text('reduction') === 'none';
  const listed = isList && type ? tensorType([1], type.dtype) : type;
  const loss = node(one(predictions), one(classes), listed);
  return isList ? reshape(context, loss, []) : loss;
}

/** An index that no class has: nothing is ignored. */
const NOTHING = -(2 ** 31);

/** The loss of predicted logarithms of probabilities, with the targets and weights of the node. */
function likelihoodLoss(context: NodeContext, predictions: Expr): Converted {
  const reduction = context.attributes.string('reduction');
  if (context.hasFailed()) return undefined;
  const weights = context.optional(2) ?? equalWeights(context, predictions);
  const ignore_index = context.attributes.int('ignore_index', NOTHING);
  const targets = context.input(1);
  return context.call('nn.nll_loss', [predictions, targets, weights], { reduction, ignore_index });
}

function equalWeights({ dimsOf, dtypeOf, formula, scalar }: NodeContext, predictions: Expr): Expr {
  const [, classes] = dimsOf(predictions);
  const dtype = dtypeOf(predictions);
  const one = scalar(1, dtype);
  if (typeof classes === 'number') {
    return formula('full(?one, shape=?shape, dtype=?dtype)', { one, shape: [classes], dtype });
  }
  const sizes = 'strided_slice(shape_of(?predictions, dtype="int64"), begin=[1], end=[2])';
  return formula(`dyn.full(?one, ${sizes}, dtype=?dtype)`, { one, predictions, dtype });
}

function crossEntropyOf(context: CallContext, logs: Operand, targets: Operand): Written {
  const { formula } = context;
  const sum = formula('sum(?logs * ?targets)', { logs, targets });
  const [batch] = context.dims(logs);
  return typeof batch === 'number'
    ? formula('negative(?sum) / ?batch', { sum, batch })
    : context.unknown('expected a batch of known size');
}
