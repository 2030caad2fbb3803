/** `OptionalGetElement`: the value, which is there. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const optionalGetElement: OnnxImporter = {
  opType: 'OptionalGetElement',
  convert: (context) => context.input(0),
};
