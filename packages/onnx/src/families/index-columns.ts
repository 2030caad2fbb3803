/** Indices along the last axis, which Baton has along the first. */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';

/** The indices with their last axis first; `undefined` after a failure. */
export function indexColumns(context: NodeContext, indices: Expr): Expr | undefined {
  const dims = context.dimsOf(indices);
  const rank = dims.length;
  if (context.hasFailed()) return undefined;
  if (rank === 0) return context.fail('ONNX_RANK', 'expected indices of rank 1 or more');
  if (typeof dims[rank - 1] !== 'number') {
    return context.unknown('expected indices of a known number of columns');
  }
  if (rank === 1) return indices;
  const axes = [rank - 1, ...Array.from({ length: rank - 1 }, (_, i) => i)];
  return context.call('transpose', [indices], { axes });
}
