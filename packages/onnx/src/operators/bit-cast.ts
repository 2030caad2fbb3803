/** `BitCast`: the same bits as another type of the same width. */
import { namedType } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const bitCast: OnnxImporter = {
  opType: 'BitCast',
  versions: [26],
  inputs: [1, 1],
  attributes: { to: 'int' },
  convert: (context) => {
    const x = context.input(0);
    const dtype = namedType(context, 'to', context.dtypeOf(x));
    return dtype && context.call('reinterpret', [x], { dtype });
  },
};
