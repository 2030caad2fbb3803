/** `Dropout` at inference, or with a ratio of 0: the data unchanged; the mask keeps everything. */
import { loneNumber } from '../families/lone-number.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const dropout: OnnxImporter = {
  opType: 'Dropout',
  since: 7,
  convert: (context) => {
    const ratio = context.optional(1);
    const value = ratio === undefined ? undefined : loneNumber(context, ratio);
    const rate = value ?? context.attributes.float('ratio');
    const training = context.optional(2);
    const mode = training === undefined ? undefined : loneNumber(context, training);
    if (training !== undefined && mode === undefined) {
      return context.unknown('expected a constant training mode as input 2');
    }
    const isTraining = mode !== undefined && mode !== 0;
    const isIdle = rate === 0 && (ratio === undefined || value !== undefined);
    if (isTraining && !isIdle) {
      return context.fail('ONNX_UNSUPPORTED', 'dropout in training is not imported');
    }
    const x = context.input(0);
    const result = context.field(context.call('nn.dropout', [x], { rate }), 0);
    if (!context.isUsed(1)) return result;
    const ones = context.call('ones_like', [x]);
    return [result, context.call('cast', [ones], { dtype: 'bool' })];
  },
};
