/** The types of dense, matmul and batch_matmul. */
import { type Dim, type RelationContext, type Type, tensorType } from '@baton/ir';
import type { DType } from '@baton/tensor';
import { dimMismatch, wrongRank } from '../diagnostics.ts';
import { broadcastDim, dimAgrees } from './dims.ts';
import {
  dimAt,
  hasRank,
  type KnownTensor,
  report,
  sameDType,
  tensorArg,
  tensorOrFilled,
} from './known.ts';

export interface ProductAttrs {
  readonly units: number | null;
  readonly out_dtype: DType | '';
  readonly transpose_a: boolean;
  readonly transpose_b: boolean;
}

/**
 * `(..., M, K)` times `(K, N)`, either side transposed. An unknown right side is filled if `units`
 * states the number of its columns.
 */
export function matmulType(
  args: ReadonlyArray<Type>,
  attrs: ProductAttrs,
  names: readonly [string, string],
  context: RelationContext,
): Type | undefined {
  const a = tensorArg(args, 0, context);
  if (a === undefined) return undefined;
  const rank = a.shape.length;
  const least = attrs.transpose_a ? 2 : 1;
  if (rank < least) {
    return report(context, wrongRank(`\`${names[0]}\``, `at least rank ${least}`, rank));
  }
  const depth = dimAt(a, attrs.transpose_a ? rank - 2 : rank - 1);
  const columns = rightColumns(args, a, depth, attrs, names, context);
  if (columns === undefined) return undefined;
  const rows = attrs.transpose_a
    ? [...a.shape.slice(0, -2), dimAt(a, rank - 1)]
    : a.shape.slice(0, -1);
  return tensorType([...rows, columns], attrs.out_dtype || a.dtype);
}

function rightColumns(
  args: ReadonlyArray<Type>,
  a: KnownTensor,
  depth: Dim,
  attrs: ProductAttrs,
  [left, name]: readonly [string, string],
  context: RelationContext,
): Dim | undefined {
  const { units } = attrs;
  const stated = attrs.transpose_b ? [units ?? 0, depth] : [depth, units ?? 0];
  const shape = units === null ? undefined : stated;
  const b = tensorOrFilled(args, 1, name, shape, a.dtype, context);
  if (b === undefined || !hasRank(b, `\`${name}\``, [2], context)) return undefined;
  const columns = dimAt(b, attrs.transpose_b ? 0 : 1);
  const rows = dimAt(b, attrs.transpose_b ? 1 : 0);
  if (!dimAgrees(depth, rows)) {
    const axis = a.shape.length - (attrs.transpose_a ? 2 : 1);
    const from = `axis ${axis} of \`${left}\``;
    const what = `the depth of \`${name}\``;
    const hint = dimAgrees(depth, columns) ? `transpose \`${name}\`` : undefined;
    return report(context, dimMismatch(what, depth, rows, from, hint));
  }
  if (units !== null && !dimAgrees(columns, units)) {
    const what = `the units of \`${name}\``;
    return report(context, dimMismatch(what, units, columns, 'attribute `units`'));
  }
  return columns;
}

/** `(B, M, K)` times `(B, K, N)`, either side transposed; a batch of 1 broadcasts. */
export function batchMatmulType(
  args: ReadonlyArray<Type>,
  attrs: Omit<ProductAttrs, 'units'>,
  context: RelationContext,
): Type | undefined {
  const a = tensorArg(args, 0, context);
  const b = tensorArg(args, 1, context);
  if (a === undefined || b === undefined) return undefined;
  if (!hasRank(a, '`tensor_a`', [3], context) || !hasRank(b, '`tensor_b`', [3], context)) {
    return undefined;
  }
  const dtype = sameDType(a.dtype, b.dtype, '`tensor_b`', context);
  if (dtype === undefined) return undefined;
  const [rows, depth] = attrs.transpose_a ? [dimAt(a, 2), dimAt(a, 1)] : [dimAt(a, 1), dimAt(a, 2)];
  const [depthB, columns] = attrs.transpose_b
    ? [dimAt(b, 2), dimAt(b, 1)]
    : [dimAt(b, 1), dimAt(b, 2)];
  if (!dimAgrees(depth, depthB)) {
    const from = `axis ${attrs.transpose_a ? 1 : 2} of \`tensor_a\``;
    return report(context, dimMismatch('the depth of `tensor_b`', depth, depthB, from));
  }
  const batch = broadcastDim(dimAt(a, 0), dimAt(b, 0));
  if (batch === undefined) {
    const what = 'the batch of `tensor_b`';
    return report(context, dimMismatch(what, dimAt(a, 0), dimAt(b, 0), 'axis 0 of `tensor_a`'));
  }
  return tensorType([batch, rows, columns], attrs.out_dtype || dtype);
}
