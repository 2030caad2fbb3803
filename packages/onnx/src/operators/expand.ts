/** `Expand`: both data and shape may have axes of size 1 that the other stretches. */
import { broadcastShapes } from '@baton/tensor';
import type { OnnxOperator } from '../node/operator.ts';

export const expand: OnnxOperator = {
  opType: 'Expand',
  versions: [8, 13],
  inputs: [2, 2],
  convert: (context) => {
    const target = context.ints(1);
    const shape = context.shapeOf(context.input(0));
    if (target === undefined || context.hasFailed()) return undefined;
    if (shape === undefined) {
      return context.unknown('expected data of known size');
    }
    const result = broadcastShapes(shape, target);
    if (result === undefined) {
      return context.fail('ONNX_SHAPE', `(${shape}) does not broadcast to (${target})`);
    }
    return context.call('broadcast_to', [context.input(0)], { shape: result });
  },
};
