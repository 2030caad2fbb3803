/** `OptionalHasElement`: whether there is a value. */
import { scalar } from '@baton/tensor';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const optionalHasElement: OnnxImporter = {
  opType: 'OptionalHasElement',
  convert: (context) => context.constant(scalar(context.optional(0) === undefined ? 0 : 1, 'bool')),
};
