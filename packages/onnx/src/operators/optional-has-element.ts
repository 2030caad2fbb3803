/** `OptionalHasElement`: whether there is a value. */
import { scalar } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const optionalHasElement: OnnxImporter = {
  opType: 'OptionalHasElement',
  versions: [15, 18, 28],
  inputs: [0, 1],
  convert: (context) => context.constant(scalar(context.optional(0) === undefined ? 0 : 1, 'bool')),
};
