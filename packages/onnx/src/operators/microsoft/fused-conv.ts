/** `FusedConv`: a convolution, with a bias, a summand and an activation function. */
import { activated } from '../../families/activations.ts';
import { withInputs } from '../../families/through-floats.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';
import { conv } from '../conv.ts';

export const fusedConv: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'FusedConv',
  kernelSince: 1,
  convert: (context) => {
    const inputs = [context.input(0), context.input(1), context.optional(2)];
    const result = conv.convert(withInputs(context, inputs));
    const sum = context.optional(3);
    const value = result === undefined || '_tag' in result ? result : result[0];
    if (value === undefined) return undefined;
    const whole = sum ? context.call('add', [value, sum]) : value;
    const { attributes } = context;
    const name = attributes.string('activation', '');
    return name === ''
      ? whole
      : activated(context, name, attributes.floats('activation_params') ?? [], whole);
  },
};
