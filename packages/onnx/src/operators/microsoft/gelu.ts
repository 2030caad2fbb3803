/** `Gelu`: x/2 · (1 + erf(x/√2)). */
import { geluOf } from '../../families/gelu.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const microsoftGelu: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'Gelu',
  kernelSince: 1,
  convert: (context) => geluOf(context, context.input(0)),
};
