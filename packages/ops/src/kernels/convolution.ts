/**
 * The transpose of a convolution, for any number of spatial axes. Callers pass layouts other than
 * (N, C, spatial…) as transposed views.
 */
import {
  allocate,
  cast,
  type DType,
  heap,
  type Memory,
  rowMajorStrides,
  type Shape,
  shapeSize,
  sliceView,
  type Tensor,
  type TensorData,
  tensor,
} from '@baton/tensor';
import { gridOffsets } from './copy.ts';
import { multiply } from './gemm.ts';
import type { Matrix } from './matrix.ts';
import { planProduct } from './product.ts';
import { loadData } from './values.ts';

/** One number per spatial axis. */
export interface ConvolutionOptions {
  readonly strides: Shape;
  /** Padding with zeros: first before each axis, then after each axis. */
  readonly padding: Shape;
  readonly dilation: Shape;
  readonly groups: number;
  /** The dtype of the result. Default: the data's. */
  readonly outDtype?: DType;
}

export interface TransposeOptions extends ConvolutionOptions {
  /** Rows added after each axis of the result, to select among the sizes that a stride allows. */
  readonly outputPadding: Shape;
}

/**
 * The transpose of a convolution with respect to its data: adds each input element times the kernel
 * to the result.
 *
 * **Shapes** data (N, I, spatial…), weight (I, O / groups, kernel…), result (N, O, …) with (in − 1)
 * · stride − padding + (kernel − 1) · dilation + 1 + outputPadding along each axis.
 */
export function convolutionTranspose(
  data: Tensor,
  weight: Tensor,
  options: TransposeOptions,
  memory: Memory = heap,
): Tensor {
  const { groups, strides, dilation, padding, outputPadding } = options;
  const [batch, channels, ...input] = data.shape as readonly [number, number, ...number[]];
  const kernel = weight.shape.slice(2);
  const group = { input: channels / groups, output: at(weight.shape, 1) };
  const outChannels = group.output * groups;
  // The grid before its padding is cropped: every product has a cell in it.
  const grid = input.map((dim, i) => {
    const reach = (at(kernel, i) - 1) * at(dilation, i) + 1 + at(outputPadding, i);
    return (dim - 1) * at(strides, i) + reach;
  });
  const plan = planProduct(data.dtype, options.outDtype ?? data.dtype, channels);
  const strided = rowMajorStrides(grid);
  const cellsOf = {
    input: gridOffsets(
      input,
      strided.map((stride, i) => stride * at(strides, i)),
      memory,
    ),
    filter: gridOffsets(
      [group.output, ...kernel],
      [shapeSize(grid), ...strided.map((stride, i) => stride * at(dilation, i))],
      memory,
    ),
  };
  const filters = loadData(weight, memory);
  const images = loadData(data, memory);
  const filterRows = gridOffsets([group.output, ...kernel], weight.strides.slice(1), memory);
  const filterCols = gridOffsets([group.input], weight.strides, memory);
  const imageRows = gridOffsets([group.input], data.strides.slice(1), memory);
  const imageCols = gridOffsets(input, data.strides.slice(2), memory);

  const summed = SUM_DTYPE[plan.arithmetic];
  const sums = allocate(summed, batch * outChannels * shapeSize(grid), memory);
  const products = memory.take(summed, cellsOf.filter.length * cellsOf.input.length);
  for (let n = 0; n < batch; n++) {
    for (let g = 0; g < groups; g++) {
      const filter: Matrix = {
        data: filters,
        offset: weight.offset + g * group.input * at(weight.strides, 0),
        rows: filterRows,
        cols: filterCols,
      };
      const image: Matrix = {
        data: images,
        offset: data.offset + n * at(data.strides, 0) + g * group.input * at(data.strides, 1),
        rows: imageRows,
        cols: imageCols,
      };
      const target = { data: products, offset: 0, rowStride: cellsOf.input.length };
      multiply(filter, image, target, plan.arithmetic, memory);
      const start = (n * outChannels + g * group.output) * shapeSize(grid);
      scatterAdd(products, cellsOf.filter, cellsOf.input, sums, start);
    }
  }
  const whole = tensor(sums, [batch, outChannels, ...grid], summed);
  const begin = [0, 0, ...input.map((_, i) => at(padding, i))];
  const size = grid.map((dim, i) => dim - at(padding, i) - at(padding, i + grid.length));
  return cast(sliceView(whole, begin, [batch, outChannels, ...size]), plan.dtype, memory);
}

const SUM_DTYPE = { double: 'float64', int32: 'int32', bigint: 'int64' } as const;

/**
 * Adds the product of filter cell i and input cell j to the grid cell at the sum of their indices.
 */
function scatterAdd(
  products: TensorData,
  filterCells: Int32Array,
  inputCells: Int32Array,
  sums: TensorData,
  start: number,
): void {
  // Both sides have the same kind of storage, and `+` works on numbers and bigints alike.
  const from = products as Float64Array;
  const to = sums as Float64Array;
  let i = 0;
  for (const filterCell of filterCells) {
    const base = start + filterCell;
    for (const inputCell of inputCells) {
      const cell = base + inputCell;
      to[cell] = (to[cell] as number) + (from[i++] as number);
    }
  }
}

const at = (list: Shape, index: number): number => list[index] as number;
