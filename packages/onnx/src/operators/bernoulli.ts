/** `Bernoulli`: 1 with the probability that each element states, else 0. */
import { randomNumbers, statedDType } from '../families/random.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const bernoulli: OnnxImporter = {
  opType: 'Bernoulli',
  convert: (context) => {
    const chances = context.input(0);
    const own = context.dtypeOf(chances);
    const shape = context.shapeOf(chances);
    if (shape === undefined) return context.unknown('expected a known shape');
    const dtype = statedDType(context, own);
    if (dtype === undefined) return undefined;
    const numbers = randomNumbers(context, 'random.uniform', [0, 1], shape, own);
    if (numbers === undefined) return undefined;
    return context.call('cast', [context.call('less', [numbers, chances])], { dtype });
  },
};
