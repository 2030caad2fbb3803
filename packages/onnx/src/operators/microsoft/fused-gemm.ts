/** `FusedGemm`: `Gemm` and an activation function. */
import { activated } from '../../families/activations.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { gemm } from '../gemm.ts';

export const fusedGemm: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'FusedGemm',
  kernelSince: 1,
  convert: (context) => {
    const { attributes } = context;
    const result = gemm.convert(context);
    const value = result === undefined || '_tag' in result ? result : result[0];
    const name = attributes.string('activation', '');
    if (value === undefined || name === '') return value;
    const given = ['activation_alpha', 'activation_beta'].filter(attributes.has);
    return activated(
      context,
      name,
      given.map((key) => attributes.float(key, 0)),
      value,
    );
  },
};
