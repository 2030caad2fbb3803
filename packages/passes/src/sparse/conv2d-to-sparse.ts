/**
 * Conv2dToSparse: constant weights of convolutions that are mostly 0 become sparse matrices.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { callOp, isCallOf, numbersOf, type OpCall, operandOf } from '@baton/ops';
import { inferType, type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import type { Tensor } from '@baton/tensor';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { constantOf } from '../facts.ts';
import { type Matrix, type SparseOptions, sparseForm } from './blocks.ts';
import { KEPT_COUNTERS, keepsFloat, SPARSE_NEEDS, SPARSE_TYPES } from './counters.ts';

/**
 * Computes convolutions with sparse weights without the products with zeros:
 *
 * ```
 * nn.conv2d(%x, w, data_layout="NHWC", kernel_layout="HWIO")     (w is constant, and mostly 0)
 * =>
 * nn.sparse_conv2d(%x, data, columns, starts)
 * ```
 *
 * Those of single places without padding, and of 3 by 3 places that reach one beyond the image, in
 * steps of 1, in the layouts NCHW and NHWC. A row of the matrix has all places and inputs of an
 * output.
 *
 * **Complexity** linear in the function and the weights.
 * **Source** Relay v0.16, Conv2dToSparse2, which takes convolutions with other paddings as well, and
 * changes what they compute.
 */
export const conv2dToSparse: ConfigurablePass<SparseOptions> = configurable(
  SPARSE_TYPES,
  (options): Pass =>
    rewritingPass({
      name: 'Conv2dToSparse',
      doc: 'Converts weights of convolutions that are mostly 0 to sparse matrices.',
      subject: 'sizes',
      level: 4,
      requires: [inferType],
      needs: SPARSE_NEEDS,
      counters: ['convolution', 'kept: other windows', ...KEPT_COUNTERS],
      isIdempotent: true,
      run: (f, m, { count }) =>
        rewriteFunc(f, m, (node, get) => {
          if (!isCallOf(node, 'nn.conv2d') || !keepsFloat(m, node)) return undefined;
          const weight = constantOf(operandOf(node, 1));
          if (weight === undefined) return undefined;
          const shape = shapeOf(node, weight);
          if (shape === undefined) {
            count('kept: other windows');
            return undefined;
          }
          const found = sparseForm(weight, shape.matrix, options, node.span);
          count(found._tag === 'Kept' ? `kept: ${found.because}` : 'convolution');
          if (found._tag === 'Kept') return undefined;
          const args = [get(operandOf(node, 0)), ...found.args];
          const attrs = { layout: shape.layout, kernel_size: [shape.side, shape.side] };
          return callOp(m.ops, 'nn.sparse_conv2d', args, attrs, node.span);
        }),
    }),
);

interface Shape {
  readonly layout: 'NCHW' | 'NHWC';
  /** The height and the width of its windows. */
  readonly side: number;
  readonly matrix: Matrix;
}

/** The weights of the plain layouts of data. */
const WEIGHTS = { NCHW: 'OIHW', NHWC: 'HWIO' } as const;

function shapeOf({ attrs }: OpCall, weight: Tensor): Shape | undefined {
  const layout = (['NCHW', 'NHWC'] as const).find((name) => name === attrs.data_layout);
  if (layout === undefined || attrs.kernel_layout !== WEIGHTS[layout]) return undefined;
  if (attrs.out_layout !== '' && attrs.out_layout !== layout) return undefined;
  const isPlain = [...numbersOf(attrs.strides), ...numbersOf(attrs.dilation)].every(
    (step) => step === 1,
  );
  const [height, width, inputs, outputs] =
    layout === 'NHWC' ? weight.shape : [2, 3, 1, 0].map((axis) => weight.shape[axis]);
  if (height === undefined || inputs === undefined || outputs === undefined) return undefined;
  const reach = numbersOf(attrs.padding).every((size) => size === (height - 1) / 2);
  const isWindow = height === width && (height === 1 || height === 3);
  if (!isPlain || attrs.groups !== 1 || !reach || !isWindow) return undefined;
  const columns = height * height * inputs;
  const at =
    layout === 'NHWC'
      ? (row: number, column: number): number => column * outputs + row
      : (row: number, column: number): number => row * columns + column;
  return { layout, side: height, matrix: { rows: outputs, columns, at } };
}
