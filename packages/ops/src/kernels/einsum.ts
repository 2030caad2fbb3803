/** Einstein summation. */
import {
  type BigData,
  heap,
  isBig,
  type Memory,
  type NumberData,
  rowMajorStrides,
  type Shape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { bigCell, combineNumbers, numberCell } from './combine.ts';
import { gridOffsets } from './copy.ts';
import { finish, loadDense, resultBuffer } from './values.ts';

/** The axes of operands and result, by label; a label only in operands is summed over. */
export interface Contraction {
  readonly operands: ReadonlyArray<ReadonlyArray<string>>;
  readonly result: ReadonlyArray<string>;
  readonly sizes: ReadonlyMap<string, number>;
}

/** The offsets of an operand's elements: for each element of the result, and for each summand. */
interface Operand<D> {
  readonly data: D;
  readonly kept: Int32Array;
  readonly summed: Int32Array;
}

/**
 * The sum of products that labels describe. An axis of size 1 broadcasts.
 *
 * **Complexity** the product of the sizes of all labels, times the number of operands.
 */
export function contract(
  tensors: ReadonlyArray<Tensor>,
  spec: Contraction,
  memory: Memory = heap,
): Tensor {
  const dtype = tensors[0]?.dtype ?? 'float32';
  const labels = [...spec.sizes.keys()].filter((label) => !spec.result.includes(label));
  const dimsOf = (names: ReadonlyArray<string>): Shape =>
    names.map((name) => spec.sizes.get(name) as number);
  const shape = dimsOf(spec.result);
  const places = tensors.map((t, i) => {
    const own = spec.operands[i] ?? [];
    return {
      data: loadDense(t, memory),
      kept: gridOffsets(shape, strideOf(t.shape, own, spec.result), memory),
      summed: gridOffsets(dimsOf(labels), strideOf(t.shape, own, labels), memory),
    };
  });
  const out = resultBuffer(dtype, shapeSize(shape), memory);
  const summands = shapeSize(dimsOf(labels));
  // The dtype decides the storage of all.
  if (isBig(dtype)) {
    sumBigs(out as BigData, places as ReadonlyArray<Operand<BigData>>, summands, bigCell(dtype));
  } else {
    const multiply = combineNumbers('mul', dtype);
    const cell = numberCell(dtype);
    sumNumbers(out as NumberData, places as ReadonlyArray<Operand<NumberData>>, summands, {
      multiply,
      cell,
    });
  }
  return finish(out, shape, dtype, memory);
}

/** The stride of each label in an operand: a repeated label moves along the diagonal. */
function strideOf(shape: Shape, own: ReadonlyArray<string>, labels: ReadonlyArray<string>): Shape {
  const strides = rowMajorStrides(shape);
  return labels.map((label) =>
    own.reduce((sum, name, axis) => {
      const moves = name === label && shape[axis] !== 1;
      return moves ? sum + (strides[axis] as number) : sum;
    }, 0),
  );
}

function sumNumbers(
  out: NumberData,
  operands: ReadonlyArray<Operand<NumberData>>,
  summands: number,
  { multiply, cell }: { multiply: (a: number, b: number) => number; cell: NumberData },
): void {
  for (let o = 0; o < out.length; o++) {
    cell[0] = 0;
    for (let s = 0; s < summands; s++) {
      let product = 1;
      for (const { data, kept, summed } of operands) {
        const at = (kept[o] as number) + (summed[s] as number);
        product = multiply(product, data[at] as number);
      }
      cell[0] = (cell[0] as number) + product;
    }
    out[o] = cell[0] as number;
  }
}

function sumBigs(
  out: BigData,
  operands: ReadonlyArray<Operand<BigData>>,
  summands: number,
  cell: BigData,
): void {
  for (let o = 0; o < out.length; o++) {
    cell[0] = 0n;
    for (let s = 0; s < summands; s++) {
      let product = 1n;
      for (const { data, kept, summed } of operands) {
        product *= data[(kept[o] as number) + (summed[s] as number)] as bigint;
      }
      cell[0] = (cell[0] as bigint) + product;
    }
    out[o] = cell[0] as bigint;
  }
}
