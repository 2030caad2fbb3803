/** `SoftmaxCrossEntropyLoss`: the loss of the softmax, and its logarithm. */
import { LOSS_ATTRIBUTES, likelihoodLoss } from '../families/likelihood.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const softmaxCrossEntropyLoss: OnnxImporter = {
  opType: 'SoftmaxCrossEntropyLoss',
  versions: [12, 13],
  inputs: [2, 3],
  attributes: LOSS_ATTRIBUTES,
  convert: (context) => {
    const logs = context.call('nn.log_softmax', [context.input(0)], { axis: 1 });
    const loss = likelihoodLoss(context, logs);
    return loss === undefined || !('_tag' in loss) ? undefined : [loss, logs];
  },
};
