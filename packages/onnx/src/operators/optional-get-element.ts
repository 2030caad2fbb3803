/** `OptionalGetElement`: the value, which is there. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const optionalGetElement: OnnxImporter = {
  opType: 'OptionalGetElement',
  versions: [15, 18, 28],
  inputs: [1, 1],
  convert: (context) => context.input(0),
};
