/** Products of matrices as NumPy has them: with vectors, and with batches that broadcast. */

import { anyDim, dimsEqual, type Expr, multiplyDims } from '@baton/ir';
import { broadcastShapes, sameShape, shapeSize } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { reshapeCodes } from './sizes.ts';
import { broadcastTo, exchanged, expandDims, reshape, reshapeTo, transpose } from './words.ts';

export function matrixProduct(context: NodeContext, a: Expr, b: Expr): Expr | undefined {
  const [rankA, rankB] = [context.dimsOf(a).length, context.dimsOf(b).length];
  if (rankA === 0 || rankB === 0) {
    return context.fail('ONNX_RANK', 'expected vectors, matrices or batches of matrices');
  }
  // A vector is a row on the left and a column on the right; its axis is dropped afterwards.
  const left = rankA === 1 ? expandDims(context, a, 0) : a;
  const right = rankB === 1 ? expandDims(context, b, 1) : b;
  const product =
    rankB <= 2 ? context.call('nn.matmul', [left, right]) : batched(context, left, right);
  const dropped = [...(rankA === 1 ? [-2] : []), ...(rankB === 1 ? [-1] : [])];
  if (product === undefined || dropped.length === 0) return product;
  return context.call('squeeze', [product], { axis: dropped });
}

const batchProduct = ({ formula }: NodeContext, a: Expr, b: Expr): Expr =>
  formula('nn.batch_matmul(?a, ?b, transpose_b=False)', { a, b });

function batched(context: NodeContext, a: Expr, b: Expr): Expr | undefined {
  const [dimsA, dimsB] = [context.dimsOf(a), context.dimsOf(b)];
  if (dimsA.length === 3 && dimsB.length === 3) {
    return batchProduct(context, a, b);
  }
  const [shapeA, shapeB] = [context.shapeOf(a), context.shapeOf(b)];
  if (shapeA === undefined || shapeB === undefined) return ofAnySizes(context, a, b);
  const batch = broadcastShapes(shapeA.slice(0, -2), shapeB.slice(0, -2));
  if (batch === undefined) {
    return context.fail('ONNX_SHAPE', `batches do not match: ${shapeA} and ${shapeB}`);
  }
  const left = flatBatch(context, a, shapeA, batch);
  const right = flatBatch(context, b, shapeB, batch);
  const product = batchProduct(context, left, right);
  const newshape = [...batch, shapeA[shapeA.length - 2] ?? 1, shapeB[shapeB.length - 1] ?? 1];
  return reshapeTo(context, product, newshape);
}

/** A product of batches of which the import knows names, or nothing. */
function ofAnySizes(context: NodeContext, a: Expr, b: Expr): Expr {
  const [dimsA, dimsB] = [context.dimsOf(a), context.dimsOf(b)];
  const batch = dimsA.slice(0, -2);
  const isShared =
    dimsA.length === dimsB.length && batch.every((dim, i) => dimsEqual(dim, dimsB[i] ?? anyDim));
  const size = batch.reduce(multiplyDims, 1);
  const flat = [dimsA, dimsB].map((dims) => reshapeCodes(dims, [size, ...dims.slice(-2)]));
  const [left, right] = flat;
  const rows = dimsA[dimsA.length - 2] ?? 1;
  const columns = dimsB[dimsB.length - 1] ?? 1;
  const back = reshapeCodes([size, rows, columns], [...batch, rows, columns]);
  if (!isShared || left === undefined || right === undefined || back === undefined) {
    return context.call('einsum', [context.tuple([a, b])], { equation: '...ij,...jk->...ik' });
  }
  const matrices = [reshape(context, a, left), reshape(context, b, right)] as const;
  return reshape(context, batchProduct(context, ...matrices), back);
}

function flatBatch(
  context: NodeContext,
  x: Expr,
  shape: ReadonlyArray<number>,
  batch: ReadonlyArray<number>,
): Expr {
  const matrix = shape.slice(-2);
  const full = [...batch, ...matrix];
  const spread = sameShape(full, shape) ? x : broadcastTo(context, x, full);
  return reshapeTo(context, spread, [shapeSize(batch), ...matrix]);
}

export function withSwappedEnd(context: NodeContext, x: Expr): Expr {
  const rank = context.dimsOf(x).length;
  return transpose(context, x, exchanged(rank, rank - 2, rank - 1));
}
