/**
 * Sums of products along labelled axes, like einsum and linalg's generic operation: products of
 * matrices, convolutions and their gradients. Two operands are multiplied as matrices that are read
 * through offset tables; a convolution's im2col matrix is never written out.
 */
import {
  type DType,
  heap,
  isBig,
  type Memory,
  type NumberData,
  reshapeView,
  shapeSize,
  type Tensor,
  type TensorData,
  transposeView,
} from '@baton/tensor';
import { cellOf, combining } from './combine.ts';
import { gridOffsets } from './copy.ts';
import { multiply } from './gemm.ts';
import { padConstant } from './pad.ts';
import { finishProduct, planProduct, productBuffer } from './product.ts';
import { finish, loadData, numberBuffer } from './values.ts';

/** An index along an axis: a sum of loop indices, each times a factor, and an offset. */
export interface AffineIndex {
  readonly terms: ReadonlyArray<{ readonly label: string; readonly factor: number }>;
  readonly offset: number;
}

/** A sum of products as loops over labels; operands hold 0 out of range. */
export interface Contraction {
  /** Labels that the result does not name are summed over, in this order. */
  readonly sizes: ReadonlyMap<string, number>;
  /** For each operand, the index along each axis. */
  readonly operands: ReadonlyArray<ReadonlyArray<AffineIndex>>;
  /** The labels of an axis enumerate it in row-major order. */
  readonly result: ReadonlyArray<AffineIndex>;
}

/** The elements that an operand contributes: a step in its storage for each label that moves it. */
interface Operand {
  readonly data: TensorData;
  readonly offset: number;
  readonly steps: ReadonlyMap<string, number>;
}

/**
 * **Complexity** the product of the sizes of all labels, times the number of operands; memory
 * beyond operands and result: padded copies of operands that are read out of range, and tables of
 * the rows and columns of matrices.
 */
export function contract(
  spec: Contraction,
  tensors: ReadonlyArray<Tensor>,
  dtype: DType,
  memory: Memory = heap,
): Tensor {
  const sizeOf = (label: string): number => spec.sizes.get(label) as number;
  const labelsOf = ({ terms }: AffineIndex): ReadonlyArray<string> =>
    terms.map(({ label }) => label);
  const kept = spec.result.flatMap(labelsOf);
  const summed = [...spec.sizes.keys()].filter((label) => !kept.includes(label));
  const operands = tensors.map((t, i) => operandOf(t, spec.operands[i] ?? [], sizeOf, memory));
  const loops: Loops = {
    kept: kept.filter((label) => sizeOf(label) !== 1),
    summed,
    sizeOf,
    tableOf: ({ steps }, labels) =>
      gridOffsets(
        labels.map(sizeOf),
        labels.map((label) => steps.get(label) ?? 0),
        memory,
      ),
  };
  const [left, right] = operands;
  const from = tensors[0]?.dtype ?? dtype;
  const sums =
    operands.length === 2 && left && right
      ? productOfTwo([left, right], loops, [from, dtype], memory)
      : productOfMany(operands, loops, dtype, memory);
  const shape = spec.result.map((axis) => shapeSize(labelsOf(axis).map(sizeOf)));
  return reshapeView(sums, shape, memory);
}

interface Loops {
  /** The labels of the result in row-major order, without those of size 1. */
  readonly kept: ReadonlyArray<string>;
  readonly summed: ReadonlyArray<string>;
  readonly sizeOf: (label: string) => number;
  /** The offset of an operand's elements for all values of some labels. */
  readonly tableOf: (operand: Operand, labels: ReadonlyArray<string>) => Int32Array;
}

function operandOf(
  t: Tensor,
  axes: ReadonlyArray<AffineIndex>,
  sizeOf: (label: string) => number,
  memory: Memory,
): Operand {
  const before = axes.map(({ offset }) => Math.max(-offset, 0));
  const after = axes.map(({ terms, offset }, axis) => {
    const last = terms.reduce(
      (sum, { label, factor }) => sum + factor * (sizeOf(label) - 1),
      offset,
    );
    return Math.max(last + 1 - (t.shape[axis] as number), 0);
  });
  const isInside = [...before, ...after].every((width) => width === 0);
  const whole = isInside ? t : padConstant(t, { before, after }, undefined, memory);
  const steps = new Map<string, number>();
  let start = whole.offset;
  axes.forEach(({ terms, offset }, axis) => {
    const stride = whole.strides[axis] as number;
    start += stride * (offset + (before[axis] as number));
    for (const { label, factor } of terms) {
      steps.set(label, (steps.get(label) ?? 0) + stride * factor);
    }
  });
  return { data: loadData(whole, memory), offset: start, steps };
}

/**
 * Products of matrices, one for each value of the other labels. Labels of only one operand are its
 * rows or columns; the columns are contiguous in the result.
 */
function productOfTwo(
  operands: readonly [Operand, Operand],
  { kept, summed, sizeOf, tableOf }: Loops,
  [from, dtype]: readonly [DType, DType],
  memory: Memory,
): Tensor {
  const isOf = (label: string, own: Operand): boolean =>
    operands.every((operand) => operand.steps.has(label) === (operand === own));
  const last = kept.findLastIndex((label) => operands.some((own) => isOf(label, own)));
  const right = operands.find((own) => isOf(kept[last] ?? '', own)) ?? operands[1];
  const left = right === operands[0] ? operands[1] : operands[0];
  const first = kept.findLastIndex((label, i) => i <= last && !isOf(label, right)) + 1;
  const columns = kept.slice(first, last + 1);
  const rows = kept.filter((label) => isOf(label, left));
  const outer = kept.filter((label) => !columns.includes(label) && !rows.includes(label));

  const [leftRows, leftColumns] = [tableOf(left, rows), tableOf(left, summed)];
  const [rightRows, rightColumns] = [tableOf(right, summed), tableOf(right, columns)];
  const [height, width] = [leftRows.length, rightColumns.length];
  const [leftStarts, rightStarts] = [tableOf(left, outer), tableOf(right, outer)];
  const plan = planProduct(from, dtype, leftColumns.length);
  const out = productBuffer(plan, leftStarts.length * height * width, memory);
  for (let i = 0; i < leftStarts.length; i++) {
    const at = [left.offset + (leftStarts[i] as number), right.offset + (rightStarts[i] as number)];
    multiply(
      { data: left.data, offset: at[0] as number, rows: leftRows, cols: leftColumns },
      { data: right.data, offset: at[1] as number, rows: rightRows, cols: rightColumns },
      { data: out, offset: i * height * width, rowStride: width },
      plan.arithmetic,
      memory,
    );
  }
  const order = [...outer, ...rows, ...columns];
  const sums = finishProduct(plan, out, order.map(sizeOf), memory);
  return transposeView(
    sums,
    kept.map((label) => order.indexOf(label)),
  );
}

/** Element by element, for any number of operands. */
function productOfMany(
  operands: ReadonlyArray<Operand>,
  { kept, summed, sizeOf, tableOf }: Loops,
  dtype: DType,
  memory: Memory,
): Tensor {
  const all = operands.map((operand) => ({
    // Numbers or bigints by the dtype; the loop is the same.
    data: operand.data as NumberData,
    starts: tableOf(operand, kept).map((at) => at + operand.offset),
    steps: tableOf(operand, summed),
  }));
  const shape = kept.map(sizeOf);
  const out = numberBuffer(dtype, shapeSize(shape), memory);
  const times = combining('mul', dtype);
  const cell = cellOf(dtype);
  const [zero, one] = (isBig(dtype) ? [0n, 1n] : [0, 1]) as [number, number];
  const count = shapeSize(summed.map(sizeOf));
  for (let o = 0; o < out.length; o++) {
    cell[0] = zero;
    for (let s = 0; s < count; s++) {
      let product = one;
      for (const { data, starts, steps } of all) {
        product = times(product, data[(starts[o] as number) + (steps[s] as number)] as number);
      }
      cell[0] = (cell[0] as number) + product;
    }
    out[o] = cell[0] as number;
  }
  return finish(out, shape, dtype, memory);
}
