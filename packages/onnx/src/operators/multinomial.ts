/** `Multinomial`: random classes, whose logarithms of probabilities are given up to a constant. */
import { generatorOf, statedDType } from '../families/random.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const multinomial: OnnxImporter = {
  opType: 'Multinomial',
  convert: (context) => {
    const generator = generatorOf(context);
    const dtype = statedDType(context, 'int32');
    if (generator === undefined || dtype === undefined) return undefined;
    const chances = context.call('nn.softmax', [context.input(0)], { axis: -1 });
    const count = context.attributes.int('sample_size');
    if (count < 1) return context.fail('ONNX_ATTRIBUTE', 'expected a sample_size above 0');
    const made = context.call('random.multinomial', [generator, chances], { num_samples: count });
    return context.call('cast', [context.field(made, 1)], { dtype });
  },
};
