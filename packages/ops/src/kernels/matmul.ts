/**
 * The matrix products: dense, matmul, batch_matmul
 * ([operators §5](https://batonjs.github.io/baton/spec/operators#5)).
 */
import { invariant } from '@baton/base';
import {
  broadcastShapes,
  broadcastView,
  type DType,
  heap,
  type Memory,
  reshapeView,
  shapeSize,
  type Tensor,
  transposeView,
} from '@baton/tensor';
import { gridOffsets } from './copy.ts';
import { evenOffsets, multiply } from './gemm.ts';
import { finishProduct, planProduct, productBuffer } from './product.ts';
import { loadData } from './values.ts';

export interface MatmulOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** The dtype of the result. Default: the operands'. */
  readonly outDtype?: DType;
}

/**
 * Batched matrix products; the axes before the last two broadcast.
 *
 * **Shapes** a (…, m, k), b (…, k, n), result (…, m, n); a (…, k, m) or b (…, n, k) if transposed.
 */
export function matmul(
  a: Tensor,
  b: Tensor,
  options: MatmulOptions = {},
  memory: Memory = heap,
): Tensor {
  const left = options.transposeA === true ? swapLast(a) : a;
  const right = options.transposeB === true ? swapLast(b) : b;
  const [m, depth] = lastTwo(left.shape);
  const [inner, n] = lastTwo(right.shape);
  invariant(depth === inner, 'the inner sizes of a product agree');
  const batch = broadcastShapes(left.shape.slice(0, -2), right.shape.slice(0, -2));
  invariant(batch !== undefined, 'the outer axes of a product broadcast');
  const plan = planProduct(a.dtype, options.outDtype ?? a.dtype, depth);
  const out = productBuffer(plan, shapeSize(batch) * m * n, memory);
  const x = stackOf(left, batch, memory);
  const y = stackOf(right, batch, memory);
  for (let i = 0; i < x.starts.length; i++) {
    multiply(
      { ...x.matrix, offset: x.offset + (x.starts[i] as number) },
      { ...y.matrix, offset: y.offset + (y.starts[i] as number) },
      { data: out, offset: i * m * n, rowStride: n },
      plan.arithmetic,
      memory,
    );
  }
  return finishProduct(plan, out, [...batch, m, n], memory);
}

/**
 * x · wᵀ.
 *
 * **Shapes** data (…, k), weight (units, k), result (…, units).
 */
export function dense(
  data: Tensor,
  weight: Tensor,
  outDtype?: DType,
  memory: Memory = heap,
): Tensor {
  const lead = data.shape.slice(0, -1);
  const depth = data.shape[data.shape.length - 1] as number;
  const rows = reshapeView(data, [shapeSize(lead), depth], memory);
  const options = { transposeB: true, ...(outDtype === undefined ? {} : { outDtype }) };
  const product = matmul(rows, weight, options, memory);
  return reshapeView(product, [...lead, weight.shape[0] as number]);
}

function stackOf(t: Tensor, batch: ReadonlyArray<number>, memory: Memory) {
  const [rowCount, colCount] = lastTwo(t.shape);
  const [rowStride, colStride] = lastTwo(t.strides);
  const seen = broadcastView(t, [...batch, rowCount, colCount]);
  return {
    starts: gridOffsets(batch, seen.strides, memory),
    offset: t.offset,
    matrix: {
      data: loadData(t, memory),
      rows: evenOffsets(rowCount, rowStride, memory),
      cols: evenOffsets(colCount, colStride, memory),
    },
  };
}

function swapLast(t: Tensor): Tensor {
  const last = t.shape.length - 1;
  const axes = t.shape.map((_, axis) => axis);
  axes[last] = last - 1;
  axes[last - 1] = last;
  return transposeView(t, axes);
}

function lastTwo(list: ReadonlyArray<number>): readonly [number, number] {
  return [list[list.length - 2] as number, list[list.length - 1] as number];
}
