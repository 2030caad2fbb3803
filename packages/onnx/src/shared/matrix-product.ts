/** Products of matrices as NumPy has them: with vectors, and with batches that broadcast. */

import { anyDim, dimsEqual, type Expr, multiplyDims } from '@baton/ir';
import { broadcastShapes, sameShape } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import { reshapeCodes } from './sizes.ts';
import { broadcastTo, expandDims, reshape, reshapeTo, transpose } from './words.ts';

/** The product of two tensors; `undefined` after a failure. */
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

function batched(context: NodeContext, a: Expr, b: Expr): Expr | undefined {
  const [dimsA, dimsB] = [context.dimsOf(a), context.dimsOf(b)];
  if (dimsA.length === 3 && dimsB.length === 3) {
    return context.call('nn.batch_matmul', [a, b], { transpose_b: false });
  }
  const [shapeA, shapeB] = [context.shapeOf(a), context.shapeOf(b)];
  if (shapeA === undefined || shapeB === undefined) return ofAnySizes(context, a, b);
  const batch = broadcastShapes(shapeA.slice(0, -2), shapeB.slice(0, -2));
  if (batch === undefined) {
    return context.fail('ONNX_SHAPE', `batches do not match: ${shapeA} and ${shapeB}`);
  }
  const left = flatBatch(context, a, shapeA, batch);
  const right = flatBatch(context, b, shapeB, batch);
  const product = context.call('nn.batch_matmul', [left, right], { transpose_b: false });
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
  const matrices = [reshape(context, a, left), reshape(context, b, right)];
  const product = context.call('nn.batch_matmul', matrices, { transpose_b: false });
  return reshape(context, product, back);
}

/** The matrices in one batch axis. */
function flatBatch(
  context: NodeContext,
  x: Expr,
  shape: ReadonlyArray<number>,
  batch: ReadonlyArray<number>,
): Expr {
  const matrix = shape.slice(-2);
  const full = [...batch, ...matrix];
  const spread = sameShape(full, shape) ? x : broadcastTo(context, x, full);
  const size = batch.reduce((product, dim) => product * dim, 1);
  return reshapeTo(context, spread, [size, ...matrix]);
}

/** The matrices transposed. */
export function withSwappedEnd(context: NodeContext, x: Expr): Expr {
  const rank = context.dimsOf(x).length;
  const axes = Array.from({ length: rank }, (_, i) => i);
  return transpose(context, x, [...axes.slice(0, -2), rank - 1, rank - 2]);
}
