/** Convolutions over one to three spatial axes. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';
import { windowed } from './spatial.ts';

/** The convolution of data with a weight, as the node's attributes say. */
export function convolved(context: NodeContext, x: Expr, weight: Expr): Expr | undefined {
  const dims = context.dimsOf(x);
  const weightShape = context.shapeOf(weight);
  if (weightShape === undefined) return context.unknown('expected a weight of known size');
  if (weightShape.length !== dims.length) {
    const found = weightShape.length;
    return context.fail('ONNX_RANK', `expected a weight of rank ${dims.length}, found ${found}`);
  }
  const over = windowed(context, x, 0, weightShape.slice(2));
  if (over === undefined) return undefined;
  const { w } = over;
  const groups = context.attributes.int('group');
  if (groups < 1) return context.fail('ONNX_ATTRIBUTE', `expected 1 group or more: ${groups}`);
  return context.call(`nn.conv${dims.length - 2}d`, [over.x, weight], {
    strides: w.strides,
    padding: w.pads,
    dilation: w.dilations,
    groups,
    channels: weightShape[0] ?? 0,
    kernel_size: w.kernel,
  });
}
