/** `Optional`: a value that may be absent; one that is there is the value itself. */
import type { OnnxOperator } from '../node/operator.ts';

export const optional: OnnxOperator = {
  opType: 'Optional',
  versions: [15, 28],
  inputs: [0, 1],
  attributes: { type: 'opaque' },
  convert: (context) =>
    context.optional(0) ??
    context.fail('ONNX_UNSUPPORTED', 'an optional value that is absent is not imported'),
};
