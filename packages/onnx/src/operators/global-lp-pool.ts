/** `GlobalLpPool`: the p-norm over all places. */
import { inWide } from '../families/wide.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const globalLpPool: OnnxImporter = {
  opType: 'GlobalLpPool',
  since: 2,
  convert: (context) => {
    const { call } = context;
    const x = context.input(0);
    const rank = context.dimsOf(x).length;
    if (rank < 3) return context.fail('ONNX_RANK', `expected spatial axes, found rank ${rank}`);
    const p = context.attributes.int('p');
    const axis = Array.from({ length: rank - 2 }, (_, i) => i + 2);
    return inWide(context, x, (data) => {
      const powers = call('power', [call('abs', [data]), p]);
      return call('power', [call('sum', [powers], { axis, keepdims: true }), 1 / p]);
    });
  },
};
