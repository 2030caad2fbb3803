/** `Gelu`: x/2 · (1 + erf(x/√2)), or its approximation by tanh. */
import { geluOf, tanhGeluOf } from '../families/gelu.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const gelu: OnnxImporter = {
  opType: 'Gelu',
  formulas: [{}, { approximate: 'tanh' }],
  convert: (context) => {
    const { attributes, fail, input } = context;
    const approximate = attributes.string('approximate');
    if (approximate === 'none') return geluOf(context, input(0));
    if (approximate === 'tanh') return tanhGeluOf(context, input(0));
    return fail('ONNX_ATTRIBUTE', 'expected approximate none or tanh');
  },
};
