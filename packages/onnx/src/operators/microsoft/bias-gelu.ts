/** `BiasGelu`: `Gelu` of a sum. */
import { geluOf } from '../../families/gelu.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const biasGelu: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'BiasGelu',
  kernelSince: 1,
  convert: (context) => geluOf(context, context.call('add', [context.input(0), context.input(1)])),
};
