/** `Optional`: a value that may be absent; one that is there is the value itself. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const optional: OnnxImporter = {
  opType: 'Optional',
  convert: (context) =>
    context.optional(0) ??
    context.fail('ONNX_UNSUPPORTED', 'an optional value that is absent is not imported'),
};
