/** What operators between floats and their quantized integers share. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../node/operator.ts';

/**
 * A scale or zero point as it broadcasts against data of this rank: for all of it, or for each
 * place along an axis; `undefined` after a failure.
 */
export function alongAxis(
  context: NodeContext,
  parameter: Expr,
  rank: number,
  axis: number,
): Expr | undefined {
  const own = context.dimsOf(parameter);
  if (context.hasFailed() || own.length === 0) return parameter;
  if (own.length > 1 || context.attributes.int('block_size', 0) !== 0) {
    return context.fail('ONNX_UNSUPPORTED', 'quantization by blocks is not imported');
  }
  const at = own[0] === 1 && rank === 0 ? 0 : context.axis(axis, rank);
  const newshape = [-1, ...new Array<number>(Math.max(rank - at - 1, 0)).fill(1)];
  return context.call('reshape', [parameter], { newshape });
}
