/** `BitCast`: the same bits as another type of the same width. */
import { namedType } from '../families/quantization.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const bitCast: OnnxImporter = {
  opType: 'BitCast',
  convert: (context) => {
    const x = context.input(0);
    const dtype = namedType(context, 'to', context.dtypeOf(x));
    return dtype && context.call('reinterpret', [x], { dtype });
  },
};
