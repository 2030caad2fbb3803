/** `nn.nll_loss`: of one example, as a batch of it. */

import type { TensorType } from '@baton/ir';
import { formula } from '../forms/formula.ts';
import { asIndices } from '../forms/indices.ts';
import { int, text } from '../operator-api/attribute-values.ts';
import type { OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const nllLoss: OnnxExporter = formula(
  'nn.nll_loss',
  (context, predictions, targets, weights) => {
    const { attrs, call } = context;
    const classes = asIndices(context, targets);
    const attributes = {
      reduction: text(attrs.text('reduction')),
      ignore_index: int(attrs.int('ignore_index')),
    };
    const node = (x: Operand, y: Operand, type: TensorType | undefined) =>
      context.node('NegativeLogLikelihoodLoss', [x, y, weights], attributes, type);
    const [type] = context.results;
    if (context.dims(predictions).length > 1) return node(predictions, classes, type);
    const one = (x: Operand) => call('expand_dims', [x], { axis: 0 });
    const isList = attrs.text('reduction') === 'none';
    const loss = node(one(predictions), one(classes), isList ? one(classes).type : type);
    return isList ? call('reshape', [loss], { newshape: [] }) : loss;
  },
);
