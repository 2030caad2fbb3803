/** `QuickGelu`: x · sigmoid(αx). */
import { swishOf } from '../../families/swish.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const quickGelu: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'QuickGelu',
  kernelSince: 1,
  convert: ({ attributes, call, input }) => swishOf(call, input(0), attributes.float('alpha')),
};
