/** `Identity`: another name for the same value. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const identity: OnnxImporter = {
  opType: 'Identity',
  convert: (context) => context.input(0),
};
