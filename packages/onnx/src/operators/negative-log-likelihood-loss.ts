/** `NegativeLogLikelihoodLoss` of predicted logarithms of probabilities. */
import { likelihoodLoss } from '../families/likelihood.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const negativeLogLikelihoodLoss: OnnxImporter = {
  opType: 'NegativeLogLikelihoodLoss',
  convert: (context) => likelihoodLoss(context, context.input(0)),
};
