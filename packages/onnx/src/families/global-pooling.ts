/** Pools over all spatial axes. */
import type { OnnxImporter } from '../operator-api/importer.ts';

/** A global pool: `op` over images, `reduction` over any other number of axes. */
export const globalPool = (opType: string, op: string, reduction: string): OnnxImporter => ({
  opType,
  convert: (context) => {
    const x = context.input(0);
    const { length: rank } = context.dimsOf(x);
    if (rank === 4) return context.call(op, [x]);
    if (rank < 3) return context.fail('ONNX_RANK', `expected spatial axes, found rank ${rank}`);
    const axis = Array.from({ length: rank - 2 }, (_, i) => i + 2);
    return context.call(reduction, [x], { axis, keepdims: true });
  },
});
