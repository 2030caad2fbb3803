/** `NegativeLogLikelihoodLoss` of predicted logarithms of probabilities. */
import { LOSS_ATTRIBUTES, likelihoodLoss } from '../families/likelihood.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const negativeLogLikelihoodLoss: OnnxImporter = {
  opType: 'NegativeLogLikelihoodLoss',
  versions: [12, 13, 22],
  inputs: [2, 3],
  attributes: LOSS_ATTRIBUTES,
  convert: (context) => likelihoodLoss(context, context.input(0)),
};
