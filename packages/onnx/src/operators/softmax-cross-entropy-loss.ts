/** `SoftmaxCrossEntropyLoss`: the loss of the softmax, and its logarithm. */
import { likelihoodLoss } from '../families/likelihood.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const softmaxCrossEntropyLoss: OnnxImporter = {
  opType: 'SoftmaxCrossEntropyLoss',
  convert: (context) => {
    const logs = context.call('nn.log_softmax', [context.input(0)], { axis: 1 });
    const loss = likelihoodLoss(context, logs);
    return loss === undefined || !('_tag' in loss) ? undefined : [loss, logs];
  },
};
