/** `TopK`; the results are always sorted. */
import type { OnnxImporter } from '../operator-api/importer.ts';

export const topK: OnnxImporter = {
  opType: 'TopK',
  since: 10,
  convert: (context) => {
    const [x, count] = [context.input(0), context.input(1)];
    const attrs = {
      axis: context.attributes.int('axis'),
      is_ascend: context.attributes.int('largest') === 0,
      dtype: 'int64',
    };
    if (context.valueOf(count) === undefined) {
      const k = context.call('reshape', [count], { newshape: [] });
      const found = context.call('dyn.topk', [x, k], attrs);
      return [context.field(found, 0), context.field(found, 1)];
    }
    const [k = 0] = context.ints(1) ?? [];
    if (context.hasFailed()) return undefined;
    if (k < 1) return context.fail('ONNX_UNSUPPORTED', `expected k of 1 or more, found ${k}`);
    const found = context.call('topk', [x], { k, ...attrs });
    return [context.field(found, 0), context.field(found, 1)];
  },
};
