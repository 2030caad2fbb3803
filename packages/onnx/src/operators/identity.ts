/** `Identity`: another name for the same value. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const identity: OnnxImporter = {
  opType: 'Identity',
  versions: [1, 13, 14, 16, 19, 21, 23, 24, 25],
  inputs: [1, 1],
  convert: (context) => context.input(0),
};
